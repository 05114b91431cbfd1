// A process of its own: loads the built main and preload with `electron` replaced by the recorder, and does what the test asks over IPC.
// node recorded-run.ts <folder of the build> -- <start options>
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Electron from 'electron';
import type { PreloadApi } from '../../../shared/contract/preload-api.ts';
import type { RequestName } from '../../../shared/contract/contract.ts';
import type { EventName } from '../../../shared/contract/events.ts';

if (process.env['GANTRY_RECORD_PACKAGED']) Object.assign(process, { resourcesPath: process.env['GANTRY_RECORD_PACKAGED'] });
const recorderUrl = new URL('./recorder.ts', import.meta.url).href;
registerHooks({ resolve: (specifier, context, next) => (specifier === 'electron' ? { url: recorderUrl, shortCircuit: true, format: 'module-typescript' } : next(specifier, context)) });

const { app, Contents, invokeAs, record } = (await import(recorderUrl)) as typeof import('./recorder.ts');
const { desktopActs } = (await import(new URL('./recorded-desktop.ts', import.meta.url).href)) as typeof import('./recorded-desktop.ts');
await import(pathToFileURL(resolve(process.argv[2] ?? '', 'main.mjs')).href);

const api = (): PreloadApi => record.exposed.get('gantry') as PreloadApi;
const contents = () => {
  const window = record.windows.at(-1);
  if (!window) throw new Error('no window');
  return window.webContents;
};
const asContents = (given: object) => given as Electron.WebContents;

/** Somebody who is not the top frame of the own window. */
const forgedSender = (as: string): Pick<Electron.IpcMainInvokeEvent, 'sender' | 'senderFrame'> => {
  const own = contents();
  const page = own.mainFrame;
  if (as === 'foreign-contents') return { sender: asContents(new Contents()), senderFrame: page };
  if (as === 'sub-frame') return { sender: asContents(own), senderFrame: { url: page.url } as Electron.WebFrameMain };
  if (as === 'no-frame') return { sender: asContents(own), senderFrame: null };
  own.mainFrame = { url: 'https://evil.example/' } as Electron.WebFrameMain;
  queueMicrotask(() => (own.mainFrame = page));
  return { sender: asContents(own), senderFrame: own.mainFrame };
};

const navigated = (event: string, url: string, isMainFrame: boolean): boolean => {
  let prevented = false;
  contents().emit(event, { url, isMainFrame, preventDefault: () => (prevented = true) });
  return prevented;
};

const acts: Readonly<Record<string, (...args: never[]) => unknown>> = {
  facts: () => ({
    preferences: record.preferences,
    channels: [...record.handlers.keys()],
    exposed: [...record.exposed.keys()],
    members: Object.keys(api()),
    requests: Object.keys(api().request),
    events: Object.keys(api().on),
    schemes: record.schemes,
    sandboxed: record.sandboxed,
    loaded: record.loaded,
    userData: record.paths.get('userData'),
    errors: record.errors,
  }),
  request: (name: RequestName, ...input: never[]) => {
    if (!Object.hasOwn(api().request, name)) throw new Error(`preload exposes no ${name}`);
    return (api().request[name] as (...input: never[]) => unknown)(...input);
  },
  requestAs: (as: string, name: string, ...args: unknown[]) => invokeAs(forgedSender(as), name, args),
  rawRequest: (name: string, ...args: unknown[]) => invokeAs({ sender: asContents(contents()), senderFrame: contents().mainFrame }, name, args),
  listen: (name: EventName) => void api().on[name]((payload) => process.send?.({ event: name, payload })),
  input: (type: string) => contents().emit('input-event', {}, { type }),
  navigated,
  openWindow: (url: string) => ({ action: contents().openHandler?.({ url } as Electron.HandlerDetails).action, external: record.external.splice(0) }),
  permission: (name: string) => {
    let granted: boolean | null = null;
    record.permissionRequest?.(asContents(contents()), name as 'media', (given) => (granted = given), {} as Electron.PermissionRequest);
    return { requested: granted, checked: record.permissionCheck?.(asContents(contents()), name as 'media', '', {} as Electron.PermissionCheckHandlerHandlerDetails), device: record.deviceCheck?.({} as Electron.DevicePermissionHandlerHandlerDetails) };
  },
  page: async (url: string) => {
    const response = await record.serveScheme?.(new Request(url));
    return { status: response?.status, headers: Object.fromEntries(response?.headers ?? []), body: await response?.text() };
  },
  closeWindow: () => record.windows.at(-1)?.close(),
  ...desktopActs,
};

process.on('message', (message: { readonly id: number; readonly act: string; readonly args: readonly never[] }) => {
  void (async () => {
    try {
      process.send?.({ id: message.id, value: await acts[message.act]?.(...message.args) });
    } catch (error) {
      process.send?.({ id: message.id, thrown: String(error) });
    }
  })();
});
app.on('recorded-exit', () => process.exit(record.exitCode ?? 1));
while (record.loaded.length === 0 && record.errors.length === 0) await new Promise((wait) => setTimeout(wait, 10));
process.send?.({ ready: true });
