import { join } from 'node:path';
import type { Menu as ElectronMenu, MenuItemConstructorOptions, NativeImage, NativeTheme, Tray as ElectronTray } from 'electron';
import type { TrayAct, TrayContent } from './tray-content.ts';

export interface TrayDeps {
  readonly makeTray: (icon: NativeImage) => ElectronTray;
  readonly makeMenu: (template: MenuItemConstructorOptions[]) => ElectronMenu;
  readonly readImage: (path: string) => NativeImage;
  readonly theme: Pick<NativeTheme, 'shouldUseDarkColors' | 'on' | 'off'>;
  readonly platform: NodeJS.Platform;
  readonly iconsDir: string;
  readonly onAct: (act: TrayAct) => void;
}

/** macOS colours a template image itself; elsewhere the picture is the light or the dark one, and has a dot where something waits. `@2x` is found beside it. */
export const trayIcon = (platform: NodeJS.Platform, dark: boolean, waiting: boolean): string => {
  const dot = waiting ? '-waiting' : '';
  return platform === 'darwin' ? `tray${dot}Template.png` : `tray-${dark ? 'dark' : 'light'}${dot}.png`;
};

/** The icon in the tray, with its menu. A desktop may show none: nothing depends on it. */
export class Tray {
  readonly #deps: TrayDeps;
  readonly #tray: ElectronTray;
  readonly #onTheme = (): void => this.#drawIcon();
  #content: TrayContent;
  #drawn = '';

  constructor(deps: TrayDeps, content: TrayContent) {
    this.#deps = deps;
    this.#content = content;
    this.#tray = deps.makeTray(deps.readImage(this.#iconPath()));
    this.#tray.on('click', () => {
      // on macOS and Linux a click opens the menu
      if (deps.platform === 'win32') deps.onAct('open');
    });
    deps.theme.on('updated', this.#onTheme);
    this.show(content);
  }

  show(content: TrayContent): void {
    this.#content = content;
    const drawn = JSON.stringify(content);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#drawIcon();
    this.#tray.setToolTip(content.tooltip);
    if (this.#deps.platform === 'darwin') this.#tray.setTitle(content.waiting > 0 ? String(content.waiting) : '');
    this.#tray.setContextMenu(
      this.#deps.makeMenu(
        content.items.map((item): MenuItemConstructorOptions => {
          if (item.kind === 'line') return { type: 'separator' };
          return item.kind === 'text' ? { label: item.label, enabled: false } : { label: item.label, click: () => this.#deps.onAct(item.act) };
        }),
      ),
    );
  }

  close(): void {
    this.#deps.theme.off('updated', this.#onTheme);
    this.#tray.destroy();
  }

  #iconPath(): string {
    return join(this.#deps.iconsDir, trayIcon(this.#deps.platform, this.#deps.theme.shouldUseDarkColors, this.#content.waiting > 0));
  }

  #drawIcon(): void {
    this.#tray.setImage(this.#deps.readImage(this.#iconPath()));
  }
}
