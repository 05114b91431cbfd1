import { CALL_CLASSES } from '../../shared/call-class.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Settings } from '../../shared/settings.ts';
import { checkNetworkSettings } from '../network/network.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { HandlersOf } from './handlers.ts';

/** A hard maximum below the time without progress would be the one that counts. */
const checkCallLimits = ({ callLimits }: Pick<Settings, 'callLimits'>): Fault | null => {
  const name = CALL_CLASSES.find((one) => callLimits[one].maxTotalMs < callLimits[one].timeoutMs);
  if (name === undefined) return null;
  return fault('invalid_request', `The longest time of ${name} is shorter than its time without progress.`, {
    field: `/callLimits/${name}/maxTotalMs`,
    remedy: `Give at least ${callLimits[name].timeoutMs} ms, or lower timeoutMs.`,
  });
};

/** It is the client's id at every login server: an https address with a path (SEP-991). */
const documentMisfit = (text: string): Fault | null => {
  const url = URL.parse(text);
  if (text === '' || (url !== null && url.protocol === 'https:' && url.pathname !== '/' && url.username === '' && url.password === '' && url.hash === '')) return null;
  return fault('invalid_request', 'This is no address of a client metadata document.', { field: '/clientDocument', remedy: 'Write it as https://example.com/gantry.json, or leave it empty.' });
};

export const settingsRequests = (deps: { readonly read: () => Settings; readonly write: (change: { readonly [K in keyof Settings]?: Settings[K] | undefined }) => Settings }): HandlersOf<'settings'> => ({
  'settings:get': () => ok({ settings: deps.read() }),
  'settings:set': (change) => {
    const next = Object.assign({}, deps.read(), change) as Settings;
    const misfit = checkNetworkSettings(next) ?? checkCallLimits(next) ?? documentMisfit(next.clientDocument);
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
