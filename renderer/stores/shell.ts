import { create } from 'zustand';
import type { ShellStatus } from '../../shared/shell.ts';
import { loading, type Mirror } from './mirror.ts';

/** Mirror of `shell:get`: which shell carries this window, and what it can do. */
export const useShell = create<{ readonly shell: Mirror<ShellStatus> }>(() => ({ shell: loading() }));

/** Whether this shell has any of what the settings of the desktop are about; false until that is known. */
export const hasDesktopSettings = (shell: Mirror<ShellStatus>): boolean => shell.phase === 'ready' && (shell.value.can.closeToTray || shell.value.can.notify || shell.value.can.launchAtLogin);
