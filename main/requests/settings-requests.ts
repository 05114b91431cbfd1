import { ok } from '../../shared/result.ts';
import type { Bus } from '../bus.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Store } from '../store/database.ts';
import { readSettings, writeSettings } from '../store/settings.ts';
import type { HandlersOf } from './handlers.ts';

export const settingsRequests = (deps: { readonly store: Store; readonly bus: Bus }): HandlersOf<'settings'> => ({
  'settings:get': () => ok({ settings: deps.store.read(readSettings) }),
  'settings:set': (change) => {
    const settings = deps.store.write((db) => writeSettings(db, change));
    deps.bus.emit('settings:changed', { settings });
    return ok({ settings });
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
