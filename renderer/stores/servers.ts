import { create } from 'zustand';
import type { ServerSummary } from '../../shared/server.ts';
import { loading, type Mirror } from './mirror.ts';

/** Mirror of `servers:list`, in the host's order. */
export const useServers = create<{ readonly servers: Mirror<readonly ServerSummary[]> }>(() => ({ servers: loading() }));
