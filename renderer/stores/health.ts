import { create } from 'zustand';
import type { HealthStatus } from '../../shared/settings.ts';
import { loading, type Mirror } from './mirror.ts';

/**
 * Mirror of `health:status`, and whether the host can be reached at all. `refused`: the host does not let this window in: it has no
 * session any more, or never had one (`stranger`).
 */
export const useHealth = create<{ readonly health: Mirror<HealthStatus>; readonly connection: 'connected' | 'lost'; readonly refused: null | 'refused' | 'stranger' }>(() => ({ health: loading(), connection: 'connected', refused: null }));
