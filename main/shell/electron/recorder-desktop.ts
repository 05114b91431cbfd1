import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';

/** What the built main does outside its window: tray, menus, notifications, questions, login, screens. Each part has electron's own types. */
export const desktop = {
  trays: [] as Tray[],
  notifications: [] as Notification[],
  menus: [] as Electron.MenuItemConstructorOptions[][],
  boxes: [] as Electron.MessageBoxOptions[],
  /** the button that a person would press on the next question of the system */
  answer: 0,
  badge: 0,
  images: [] as string[],
  login: [] as Electron.Settings[],
  protocols: [] as string[],
};

interface RecordedMenu {
  readonly template: readonly Electron.MenuItemConstructorOptions[];
}
const asMenu = (template: Electron.MenuItemConstructorOptions[]): Electron.Menu => ({ template }) satisfies RecordedMenu as unknown as Electron.Menu;
export const templateOf = (menu: Electron.Menu | null): readonly Electron.MenuItemConstructorOptions[] => (menu as unknown as RecordedMenu | null)?.template ?? [];

export const Menu = {
  setApplicationMenu: ((menu) => void desktop.menus.push([...templateOf(menu)])) satisfies typeof Electron.Menu.setApplicationMenu,
  buildFromTemplate: ((template) => asMenu(template as Electron.MenuItemConstructorOptions[])) satisfies typeof Electron.Menu.buildFromTemplate,
};

export class Tray extends EventEmitter {
  menu: Electron.Menu | null = null;
  tooltip = '';
  image = '';
  destroyed = false;
  constructor(image: Electron.NativeImage | string) {
    super();
    this.image = String(image);
    desktop.trays.push(this);
  }
  readonly setImage: Electron.Tray['setImage'] = (image) => void (this.image = String(image));
  readonly setToolTip: Electron.Tray['setToolTip'] = (text) => void (this.tooltip = text);
  readonly setTitle: Electron.Tray['setTitle'] = () => {};
  readonly setContextMenu: Electron.Tray['setContextMenu'] = (menu) => void (this.menu = menu);
  readonly destroy: Electron.Tray['destroy'] = () => void (this.destroyed = true);
}

export class Notification extends EventEmitter {
  static readonly isSupported: typeof Electron.Notification.isSupported = () => true;
  readonly options: Electron.NotificationConstructorOptions;
  closed = false;
  constructor(options?: Electron.NotificationConstructorOptions) {
    super();
    this.options = options ?? {};
  }
  readonly show: Electron.Notification['show'] = () => void desktop.notifications.push(this);
  readonly close: Electron.Notification['close'] = () => void (this.closed = true);
}

const display = (id: number, workArea: Electron.Rectangle): Electron.Display => ({ id, workArea }) as Electron.Display;
const PRIMARY = display(1, { x: 0, y: 0, width: 1920, height: 1040 });
export const screen: Pick<Electron.Screen, 'getAllDisplays' | 'getPrimaryDisplay'> = { getAllDisplays: () => [PRIMARY], getPrimaryDisplay: () => PRIMARY };

export const nativeImage = {
  createFromPath: ((path) => {
    desktop.images.push(path);
    return { toString: () => path } as unknown as Electron.NativeImage;
  }) satisfies typeof Electron.nativeImage.createFromPath,
};
export const nativeTheme: Pick<Electron.NativeTheme, 'shouldUseDarkColors' | 'on' | 'off'> = Object.assign(new EventEmitter(), { shouldUseDarkColors: false }) as unknown as Electron.NativeTheme;
export const powerMonitor = new EventEmitter();

export const dialog: Pick<Electron.Dialog, 'showErrorBox' | 'showMessageBox'> & { readonly errors: string[] } = {
  errors: [],
  showErrorBox: (title, content) => void dialog.errors.push(`${title}: ${content}`),
  showMessageBox: (async (options: Electron.MessageBoxOptions) => {
    desktop.boxes.push(options);
    return { response: desktop.answer, checkboxChecked: false };
  }) as Electron.Dialog['showMessageBox'],
};
