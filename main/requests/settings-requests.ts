import { err, ok } from '../../shared/result.ts';
import type { Settings } from '../../shared/settings.ts';
import { checkNetworkSettings } from '../network/network.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { HandlersOf } from './handlers.ts';

export const settingsRequests = (deps: { readonly read: () => Settings; readonly write: (change: { readonly [K in keyof Settings]?: Settings[K] | undefined }) => Settings }): HandlersOf<'settings'> => ({
  'settings:get': () => ok({ settings: deps.read() }),
  'settings:set': (change) => {
    const misfit = checkNetworkSettings(Object.assign({}, deps.read(), change) as Settings);
    return misfit === null ? ok({ settings: deps.write(change) }) : err(misfit);
  },
});

export const secretsRequests = (deps: { readonly secrets: Secrets; readonly onUnlocked: () => void }): HandlersOf<'secrets'> => ({
  'secrets:status': () => ok(deps.secrets.status()),
  'secrets:unlock': async ({ passphrase }) => {
    const unlocked = await deps.secrets.unlock(passphrase);
    if (unlocked.ok) deps.onUnlocked();
    return unlocked;
  },
  'secrets:changePassphrase': ({ passphrase, newPassphrase }) => deps.secrets.changePassphrase(passphrase, newPassphrase),
  'secrets:list': () => ok({ secrets: deps.secrets.list().map((s) => ({ ...s })) }),
});
