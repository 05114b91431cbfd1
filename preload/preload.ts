import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import type { RequestName } from '../shared/contract/contract.ts';
import type { EventName } from '../shared/contract/events.ts';
import { EVENT_CHANNEL } from '../shared/contract/preload-api.ts';

/** Written in by the build from shared/contract, so that the sandboxed file carries names and no schemas. */
declare const __REQUEST_NAMES__: readonly RequestName[];
declare const __EVENT_NAMES__: readonly EventName[];

const listeners = new Map<EventName, Set<(payload: unknown) => void>>(__EVENT_NAMES__.map((name) => [name, new Set()]));

ipcRenderer.on(EVENT_CHANNEL, (_event: IpcRendererEvent, name: EventName, payload: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(payload);
});

const request = Object.fromEntries(__REQUEST_NAMES__.map((name) => [name, (input: unknown) => ipcRenderer.invoke(name, input)]));
const on = Object.fromEntries(
  [...listeners].map(([name, set]) => [
    name,
    (listener: (payload: unknown) => void) => {
      // each subscription is its own, also of one and the same function
      const own = (payload: unknown): void => listener(payload);
      set.add(own);
      return () => void set.delete(own);
    },
  ]),
);

contextBridge.exposeInMainWorld('gantry', { request, on });
