import type { MenuItemConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import { appMenu } from './app-menu.ts';
import { desktopWords } from './desktop-words.ts';

const flat = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] => items.flatMap((one) => [one, ...(Array.isArray(one.submenu) ? flat(one.submenu) : [])]);
const rolesOf = (platform: NodeJS.Platform, packaged: boolean) => flat(appMenu({ platform, words: desktopWords.en, packaged, onSettings: () => {}, onQuit: () => {} })).map((one) => one.role);

test('W17 every system has the roles that people expect; there is no reload, and tools for developers only in the sources', () => {
  for (const platform of ['linux', 'win32', 'darwin'] as const) {
    const roles = rolesOf(platform, true);
    for (const role of ['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll', 'zoomIn', 'zoomOut', 'resetZoom', 'togglefullscreen', 'minimize', 'close', 'about']) expect([platform, roles.includes(role as 'undo')]).toEqual([platform, true]);
    expect(roles.filter((role) => role === 'reload' || role === 'forceReload' || role === 'toggleDevTools' || role === 'quit')).toEqual([]);
    expect(rolesOf(platform, false)).toContain('toggleDevTools');
  }
  expect(rolesOf('darwin', true)).toContain('hideOthers');
});

test('W17 quitting and settings are our own acts, and every item has words in the language', () => {
  const done: string[] = [];
  const items = flat(appMenu({ platform: 'linux', words: desktopWords.zh, packaged: true, onSettings: () => done.push('settings'), onQuit: () => done.push('quit') }));
  for (const item of items) (item.click as (() => void) | undefined)?.();
  expect(done).toEqual(['settings', 'quit']);
  expect(items.filter((one) => one.type !== 'separator' && !/[\u4e00-\u9fff]/.test(one.label ?? ''))).toEqual([]);
});
