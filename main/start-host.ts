import type { Fault } from '../shared/fault.ts';
import { ok, type Result } from '../shared/result.ts';
import type { Bus } from './bus.ts';
import { systemClock } from './clock.ts';
import type { HostOptions, HostPort, StartingHost } from './shell/host-port.ts';
import { openStore, type OpenedStore } from './store/open.ts';

type Listener = Parameters<Bus['onAny']>[0];

/**
 * The start of a host with a window, in two steps: the data folder is held first, which takes little code, and the shell shows its window while the
 * rest is loaded and composed. A folder that another Gantry holds is told before any window opens.
 */
export const startHost = async (options: HostOptions): Promise<Result<StartingHost, Fault>> => {
  const opened = await openStore({ dataDir: options.dataDir, clock: systemClock });
  return opened.ok ? ok(starting(options, opened.value)) : opened;
};

const starting = (options: HostOptions, opened: OpenedStore): StartingHost => {
  const { promise: arrival, resolve, reject } = Promise.withResolvers<HostPort>();
  let whole: HostPort | null = null;
  let composing = false;
  const waiting = new Map<Listener, () => void>();
  arrival.catch(() => {});

  const compose = async (): Promise<void> => {
    composing = true;
    try {
      const { createHost } = await import('./host.ts');
      const created = await createHost({ ...options, opened });
      if (!created.ok) throw new Error(created.error.message);
      whole = created.value;
      for (const listener of waiting.keys()) waiting.set(listener, whole.bus.onAny(listener));
      resolve(whole);
    } catch (error) {
      opened.store.close();
      reject(error);
      throw error;
    }
  };
  return {
    compose,
    bus: {
      emit: (name, payload) => {
        if (whole) whole.bus.emit(name, payload);
        else for (const listener of waiting.keys()) listener(name, payload);
      },
      onAny: (listener) => {
        if (whole) return whole.bus.onAny(listener);
        waiting.set(listener, () => {});
        return () => {
          waiting.get(listener)?.();
          waiting.delete(listener);
        };
      },
    },
    handle: (name, input, caller) => (whole ? whole.handle(name, input, caller) : arrival.then((host) => host.handle(name, input, caller))),
    close: async () => {
      if (composing) await arrival.then((host) => host.close());
      else opened.store.close();
    },
  };
};
