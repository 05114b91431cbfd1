import type { Bridge } from '../../shared/contract/bridge.ts';
import type { PreloadApi } from '../../shared/contract/preload-api.ts';

/** The Electron shell's bridge over the pinned names that preload exposes. The host lives in the same program: it is never lost. */
export const electronBridge = (api: PreloadApi): Bridge => ({
  shell: 'electron',
  request: (name, input) => api.request[name](input),
  on: (name, listener) => api.on[name](listener),
  onConnection(listener) {
    let wanted = true;
    queueMicrotask(() => wanted && listener('connected'));
    return () => {
      wanted = false;
    };
  },
});
