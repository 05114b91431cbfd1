import { create } from 'zustand';
import type { HealthStatus } from '../../shared/settings.ts';
import { loading, type Mirror } from './mirror.ts';

/** Mirror of `health:status`, and whether the host can be reached at all. */
export const useHealth = create<{ readonly health: Mirror<HealthStatus>; readonly connection: 'connected' | 'lost' }>(() => ({ health: loading(), connection: 'connected' }));
