import { create } from 'zustand';
import type { Settings } from '../../shared/settings.ts';
import { loading, type Mirror } from './mirror.ts';

/** Mirror of `settings:get`. */
export const useSettings = create<{ readonly settings: Mirror<Settings> }>(() => ({ settings: loading() }));
