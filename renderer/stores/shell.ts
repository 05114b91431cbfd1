import { create } from 'zustand';
import type { ShellStatus } from '../../shared/shell.ts';
import { loading, type Mirror } from './mirror.ts';

/** Mirror of `shell:get`: which shell carries this window, and what it can do. */
export const useShell = create<{ readonly shell: Mirror<ShellStatus> }>(() => ({ shell: loading() }));
