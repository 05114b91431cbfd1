import type { MenuItemConstructorOptions } from 'electron';
import { app, record } from './recorder.ts';
import { desktop, powerMonitor, templateOf } from './recorder-desktop.ts';

const shown = (items: readonly MenuItemConstructorOptions[]): unknown[] =>
  items.map((one) => (one.type === 'separator' ? '-' : Array.isArray(one.submenu) ? { [one.label ?? '']: shown(one.submenu) } : one.enabled === false ? `(${one.label})` : one.label));
const trayItem = (label: string) => templateOf(desktop.trays.at(-1)?.menu ?? null).find((one) => one.label === label);
const press = (item: MenuItemConstructorOptions | undefined): void => void (item?.click as (() => void) | undefined)?.();

/** What a person, or the system, does outside the window. */
export const desktopActs: Readonly<Record<string, (...args: never[]) => unknown>> = {
  desktop: () => ({
    tray: desktop.trays.map((one) => ({ image: one.image, tooltip: one.tooltip, items: shown(templateOf(one.menu)), destroyed: one.destroyed })),
    notifications: desktop.notifications.map((one) => ({ title: one.options.title, body: one.options.body, actions: one.options.actions ?? [], closed: one.closed })),
    menu: shown(desktop.menus.at(-1) ?? []),
    boxes: desktop.boxes.map((one) => ({ message: one.message, detail: one.detail, buttons: one.buttons, defaultId: one.defaultId, cancelId: one.cancelId })),
    badge: desktop.badge,
    images: desktop.images,
    protocols: desktop.protocols,
    windows: record.windows.map((one) => ({ visible: one.visible, focused: one.focused, destroyed: one.destroyed, bounds: one.bounds })),
    loaded: record.loaded.length,
  }),
  answerBoxes: (button: number) => (desktop.answer = button),
  pressTray: (label: string) => press(trayItem(label)),
  clickNotification: (at: number) => desktop.notifications.at(at)?.emit('click'),
  secondStart: (...argv: string[]) => app.emit('second-instance', {}, argv, '/'),
  openUrl: (url: string) => app.emit('open-url', { preventDefault: () => {} }, url),
  blur: () => {
    const window = record.windows.at(-1);
    if (window) window.focused = false;
    window?.emit('blur');
  },
  focus: () => record.windows.at(-1)?.focus(),
  crash: (reason: string) => {
    const window = record.windows.at(-1);
    if (window) window.webContents.crashed = true;
    window?.webContents.emit('render-process-gone', {}, { reason, exitCode: 1 });
  },
  move: (x: number, y: number) => {
    const window = record.windows.at(-1);
    if (window) window.bounds = { ...window.bounds, x, y };
    window?.emit('move');
  },
  quit: () => app.quit(),
  systemEnds: () => {
    let delayed = false;
    powerMonitor.emit('shutdown', { preventDefault: () => (delayed = true) });
    return delayed;
  },
};
