import { appRequests } from '../../shared/contract/app.ts';
import { contract } from '../../shared/contract/contract.ts';
import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../shared/settings.ts';
import { Bus } from '../bus.ts';
import { silentLog } from '../log.ts';
import { dispatchRequest } from '../requests/dispatch-request.ts';
import type { AllHandlers, Caller } from '../requests/handlers.ts';
import type { HostPort } from './host-port.ts';

/** A host of three requests behind the real entrance, for tests of what the shells themselves do. It remembers who spoke. */
export const openTestHost = (): HostPort & { readonly bus: Bus; readonly callers: Caller[] } => {
  const bus = new Bus();
  const callers: Caller[] = [];
  let settings: Settings = DEFAULT_SETTINGS;
  const unknown = () => err(fault('not_found', 'There is none.'));
  const handlers = {
    ...Object.fromEntries(Object.keys(contract).map((name) => [name, unknown])),
    'health:ready': () => ok({ ready: true }),
    'settings:get': () => ok({ settings }),
    'settings:set': (change: Partial<Settings>) => {
      settings = appRequests['settings:get'].output.parse({ settings: { ...settings, ...change } }).settings;
      bus.emit('settings:changed', { settings });
      return ok({ settings });
    },
    'market:search': (input: { query: string }) => new Promise((resolve) => setTimeout(() => resolve(ok({ entries: [] })), input.query === 'slow' ? 60_000 : 0).unref()),
  } as unknown as AllHandlers;
  const dispatch = dispatchRequest(handlers, silentLog);
  return {
    bus,
    callers,
    handle(name, input, caller) {
      callers.push(caller);
      return dispatch(name, input, caller);
    },
    close: () => Promise.resolve(),
  };
};
