import type { BrowserWindow, IpcMain, IpcMainInvokeEvent } from 'electron';
import { requestNames } from '../../../shared/contract/contract.ts';
import { EVENT_CHANNEL } from '../../../shared/contract/preload-api.ts';
import { fault } from '../../../shared/fault.ts';
import { err } from '../../../shared/result.ts';
import type { HostPort } from '../host-port.ts';
import { APP_ORIGIN } from './app-protocol.ts';
import type { UserGesture } from './user-gesture.ts';

export interface OwnWindow {
  readonly window: BrowserWindow;
  readonly gesture: UserGesture;
}

/** The message comes from the top frame of Gantry's own window, showing Gantry's own page (A19). */
const isOwnFrame = (event: IpcMainInvokeEvent, own: OwnWindow | null): own is OwnWindow => {
  if (!own || own.window.isDestroyed() || event.sender.id !== own.window.webContents.id) return false;
  const frame = event.senderFrame;
  return frame !== null && frame === own.window.webContents.mainFrame && frame.url.startsWith(`${APP_ORIGIN}/`);
};

/**
 * One channel a request, by the contract's names; there is no other. A sender that is not the window's top frame is refused (`forbidden`),
 * and deciding needs a real click or key press a moment ago besides.
 */
export const handleRequests = (ipcMain: Pick<IpcMain, 'handle'>, host: HostPort, ownWindow: () => OwnWindow | null): void => {
  for (const name of requestNames) {
    ipcMain.handle(name, (event, ...args: unknown[]) => {
      const own = ownWindow();
      if (!isOwnFrame(event, own)) return err(fault('forbidden', 'This message does not come from the window of Gantry.'));
      if (args.length > 1) return err(fault('invalid_request', `${name} takes one input.`, { field: '/' }));
      return host.handle(name, args[0], { kind: 'window', canDecide: own.gesture.recent() });
    });
  }
};

/** Host events to the window, while there is one. */
export const forwardEvents = (host: HostPort, ownWindow: () => OwnWindow | null): (() => void) =>
  host.bus.onAny((name, payload) => {
    const own = ownWindow();
    if (own && !own.window.isDestroyed()) own.window.webContents.send(EVENT_CHANNEL, name, payload);
  });
