import type { App, Session, Shell, WebContents } from 'electron';
import { APP_ORIGIN } from './app-protocol.ts';
import { watchGestures, type UserGesture } from './user-gesture.ts';

/** Copying a hash to the clipboard; it needs a click in the page and reads nothing. */
const ALLOWED_PERMISSION = 'clipboard-sanitized-write';

/** An address that may leave for the system's browser: https or mailto, re-serialized (N02, M09). Null: refused. */
export const externalAddress = (text: string): string | null => {
  const url = URL.parse(text);
  return url && (url.protocol === 'https:' || url.protocol === 'mailto:') && !url.username && !url.password ? url.href : null;
};

const denyLeaving = (contents: WebContents, shell: Pick<Shell, 'openExternal'>, gesture: UserGesture): void => {
  contents.setWindowOpenHandler(({ url }) => {
    const address = gesture.recent() ? externalAddress(url) : null;
    if (address) void shell.openExternal(address);
    return { action: 'deny' };
  });
  contents.on('will-navigate', (event) => {
    if (!event.url.startsWith(`${APP_ORIGIN}/`)) event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
};

const NO_GESTURE: UserGesture = { recent: () => false };

/**
 * Every web contents that will ever exist: no window, no navigation, no frame of another origin (M20).
 * Returns the gestures seen by each of them.
 */
export const lockDownContents = (app: Pick<App, 'on'>, shell: Pick<Shell, 'openExternal'>): ((contents: WebContents) => UserGesture) => {
  const gestures = new WeakMap<WebContents, UserGesture>();
  app.on('web-contents-created', (_event, contents) => {
    const gesture = watchGestures(contents, () => performance.now());
    gestures.set(contents, gesture);
    denyLeaving(contents, shell, gesture);
  });
  return (contents) => gestures.get(contents) ?? NO_GESTURE;
};

/** Permissions are denied (camera, location, devices and what comes later); the one exception is copying. */
export const lockDownSession = (session: Pick<Session, 'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'>): void => {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(permission === ALLOWED_PERMISSION));
  session.setPermissionCheckHandler((_contents, permission) => permission === ALLOWED_PERMISSION);
  session.setDevicePermissionHandler(() => false);
};
