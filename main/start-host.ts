import { setImmediate as others } from 'node:timers/promises';
import type { Fault } from '../shared/fault.ts';
import { err, ok, type Result } from '../shared/result.ts';
import type { Bus } from './bus.ts';
import { systemClock } from './clock.ts';
import type { Caller } from './requests/handlers.ts';
import type { HostOptions, HostPort, StartingHost } from './shell/host-port.ts';
import { openStore, type OpenedStore } from './store/open.ts';

type Listener = Parameters<Bus['onAny']>[0];

/**
 * The start of a host with a window, in two steps: the data folder is held first, which takes little code, and the shell shows its window while the
 * rest is loaded and composed. A folder that another Gantry holds is told before any window opens.
 */
export const startHost = async (options: HostOptions): Promise<Result<StartingHost, Fault>> => {
  const opened = await openData(options);
  return opened.ok ? ok(starting(options, opened.value)) : opened;
};

const openData = (options: HostOptions): Promise<Result<OpenedStore, Fault>> =>
  openStore({ dataDir: options.dataDir, clock: systemClock, forgetKeys: async (accounts) => (await import('./secrets/keychain.ts')).forgetAccounts(accounts) });

/** A host that is asked before it is whole, or between two lives of it. */
const starting = (options: HostOptions, first: OpenedStore): StartingHost => {
  let arrival = Promise.withResolvers<HostPort>();
  arrival.promise.catch(() => {});
  let whole: HostPort | null = null;
  let composing = false;
  let closed = false;
  /** what a request asked for: another life on the data that it put in the place of the present */
  let replacing: { readonly passphrase?: string } | null = null;
  const waiting = new Map<Listener, () => void>();

  const compose = async (opened: OpenedStore, passphrase?: string): Promise<void> => {
    composing = true;
    try {
      // in pieces, so that the window's files and its socket are served between them
      const { createHost } = await import('./host.ts');
      await others();
      const created = await createHost({ ...options, opened, between: others, onReplaced: (wanted) => (replacing = wanted), ...(passphrase === undefined ? {} : { passphrase }) });
      if (!created.ok) throw new Error(created.error.message);
      whole = created.value;
      for (const listener of waiting.keys()) waiting.set(listener, whole.bus.onAny(listener));
      arrival.resolve(whole);
    } catch (error) {
      opened.store.close();
      arrival.reject(error);
      throw error;
    }
  };
  /** Closes the host, lets the start put the waiting data in its place, and makes a new host of it in the same process. */
  const replace = async (wanted: { readonly passphrase?: string }): Promise<Result<void, Fault>> => {
    const before = whole!;
    whole = null;
    arrival = Promise.withResolvers<HostPort>();
    arrival.promise.catch(() => {});
    await before.close();
    const opened = await openData(options);
    if (!opened.ok) {
      arrival.reject(new Error(opened.error.message));
      return opened;
    }
    await compose(opened.value, wanted.passphrase);
    for (const listener of waiting.keys()) listener('host:replaced', {});
    return opened.value.broughtBack ? err(opened.value.broughtBack) : ok(undefined);
  };
  const handle = async (name: string, input: unknown, caller: Caller): Promise<Result<unknown, Fault>> => {
    const host = whole ?? (await arrival.promise);
    const answer = await host.handle(name, input, caller);
    const wanted = replacing;
    if (!answer.ok || wanted === null || host !== whole || closed) return answer;
    replacing = null;
    const replaced = await replace(wanted);
    return replaced.ok ? answer : replaced;
  };
  return {
    compose: () => compose(first),
    bus: {
      emit: (name, payload) => {
        if (whole) whole.bus.emit(name, payload);
        else for (const listener of waiting.keys()) listener(name, payload);
      },
      onAny: (listener) => {
        waiting.set(listener, whole ? whole.bus.onAny(listener) : () => {});
        return () => {
          waiting.get(listener)?.();
          waiting.delete(listener);
        };
      },
    },
    handle,
    close: async () => {
      closed = true;
      if (composing) await arrival.promise.then((host) => host.close());
      else first.store.close();
    },
  };
};
