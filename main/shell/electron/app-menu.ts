import type { MenuItemConstructorOptions } from 'electron';
import type { DesktopWords } from './desktop-words.ts';

export interface AppMenuFacts {
  readonly platform: NodeJS.Platform;
  readonly words: DesktopWords;
  /** developer tools are offered in a Gantry that runs from its sources only */
  readonly packaged: boolean;
  readonly onSettings: () => void;
  readonly onQuit: () => void;
}

/** The menu of the application: the system's own roles with our words. There is no reload: what a page was typed into would be lost. */
export const appMenu = ({ platform, words, packaged, onSettings, onQuit }: AppMenuFacts): MenuItemConstructorOptions[] => {
  const { menu } = words;
  const mac = platform === 'darwin';
  const line: MenuItemConstructorOptions = { type: 'separator' };
  const settings: MenuItemConstructorOptions = { label: menu.settings, accelerator: 'CommandOrControl+,', click: onSettings };
  const quit: MenuItemConstructorOptions = { label: words.quit, accelerator: mac ? 'Command+Q' : 'Control+Q', click: onQuit };
  const role = (name: NonNullable<MenuItemConstructorOptions['role']>, label: string): MenuItemConstructorOptions => ({ role: name, label });
  return [
    mac
      ? { label: 'Gantry', submenu: [role('about', menu.about), line, settings, line, role('hide', menu.hide), role('hideOthers', menu.hideOthers), role('unhide', menu.showAll), line, quit] }
      : { label: menu.file, submenu: [settings, role('about', menu.about), line, role('close', menu.close), quit] },
    { label: menu.edit, submenu: [role('undo', menu.undo), role('redo', menu.redo), line, role('cut', menu.cut), role('copy', menu.copy), role('paste', menu.paste), role('selectAll', menu.selectAll)] },
    {
      label: menu.view,
      submenu: [role('resetZoom', menu.actualSize), role('zoomIn', menu.zoomIn), role('zoomOut', menu.zoomOut), line, role('togglefullscreen', menu.fullScreen), ...(packaged ? [] : [line, role('toggleDevTools', menu.devTools)])],
    },
    { label: menu.window, role: 'window', submenu: [role('minimize', menu.minimize), role('close', menu.close), ...(mac ? [line, role('front', menu.front)] : [])] },
  ];
};
