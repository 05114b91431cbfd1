import { create } from 'zustand';
import type { ShellStatus } from '../../shared/shell.ts';
import type { SettingsSection } from '../routes.ts';
import { loading, type Mirror } from './mirror.ts';

/** Mirror of `shell:get`: which shell carries this window, and what it can do. */
export const useShell = create<{ readonly shell: Mirror<ShellStatus> }>(() => ({ shell: loading() }));

/** Whether this shell has any of what the settings of the desktop are about; false until that is known. */
export const hasDesktopSettings = (shell: Mirror<ShellStatus>): boolean => shell.phase === 'ready' && (shell.value.can.closeToTray || shell.value.can.notify || shell.value.can.launchAtLogin);

/** Whether this shell is one that can be updated, or says why it cannot; false until that is known. */
export const hasUpdateSettings = (shell: Mirror<ShellStatus>): boolean => shell.phase === 'ready' && shell.value.kind === 'electron';

/** Parts of the settings that this shell has none of: neither listed nor found. */
export const sectionsWithout = (shell: Mirror<ShellStatus>): readonly SettingsSection[] => [...(hasDesktopSettings(shell) ? [] : (['desktop'] as const)), ...(hasUpdateSettings(shell) ? [] : (['updates'] as const))];
