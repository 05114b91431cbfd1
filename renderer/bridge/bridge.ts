import type { Bridge } from '../../shared/contract/bridge.ts';
import type { PreloadApi } from '../../shared/contract/preload-api.ts';
import { electronBridge } from './electron-bridge.ts';
import { LoopbackBridge } from './loopback-bridge.ts';
import { unlockFirst } from './unlock-first.ts';

const SESSION_KEY = 'gantry.session';

/** Reads the one-time token from `#token=...` and takes it out of the address at once (it must not stay in the history). */
const takeToken = (): string | null => {
  const token = /^#token=([A-Za-z0-9_-]+)$/.exec(location.hash)?.[1] ?? null;
  if (token) history.replaceState(null, '', location.pathname + location.search);
  return token;
};

const openBridge = (): Bridge => {
  const api = (window as { readonly gantry?: PreloadApi }).gantry;
  if (api) return electronBridge(api);
  return new LoopbackBridge({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`,
    token: takeToken(),
    session: {
      read: () => sessionStorage.getItem(SESSION_KEY),
      write: (session) => (session ? sessionStorage.setItem(SESSION_KEY, session) : sessionStorage.removeItem(SESSION_KEY)),
    },
  });
};

/** The renderer's only door to the host, whichever shell carries it. */
export const bridge: Bridge = unlockFirst(openBridge());
