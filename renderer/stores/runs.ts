import { create } from 'zustand';
import type { Run } from '../../shared/run.ts';
import { loading, type Mirror } from './mirror.ts';

/** Mirror of `runs:list` (its first page), newest first. */
export const useRuns = create<{ readonly runs: Mirror<readonly Run[]> }>(() => ({ runs: loading() }));
