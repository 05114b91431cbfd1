import { createHash } from 'node:crypto';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { ConfigValue, Launch } from '../../shared/server.ts';
import type { ServerRow } from '../store/servers.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import type { RevealSecret } from './child-environment.ts';
import { checkEnvironmentNames } from './launch-environment.ts';

/**
 * Whether a server may start at all, and as what: it exists, is not in quarantine, is enabled, its launch is the one a person agreed to, its environment holds no
 * dangerous name from a stranger, and the files of its installation are those of the lock.
 */
export const prepareLaunch = async (deps: ConnectionDeps): Promise<Result<{ row: ServerRow; launch: Launch }, Fault>> => {
  const row = deps.row();
  if (row === null) return err(fault('not_found', 'There is no such server.'));
  const refused = refusal(row);
  if (refused !== null) return err(refused);
  const launch = deps.launch(row);
  if (launch.fingerprint !== row.consentedFingerprint) {
    return err(
      fault('consent_required', row.consentedFingerprint === null ? 'Nobody has agreed to this launch yet.' : 'The launch is not the one that was agreed to.', {
        remedy: `Look at what will run, then agree: servers:connect with "consent":"${launch.fingerprint}".`,
        details: { launch: launch.fingerprint, consented: row.consentedFingerprint },
      }),
    );
  }
  // consent covers names the user typed; names of a market entry never reach it
  const names = checkEnvironmentNames(Object.keys(row.env), row.marketEntryId === null);
  if (!names.ok) return err(names.error);
  if (row.spec.kind === 'npm' || row.spec.kind === 'builtin') {
    const verified = await deps.verifyInstallation();
    if (!verified.ok) return err(verified.error);
  }
  return ok({ row, launch });
};

export const refusal = (row: ServerRow): Fault | null => {
  if (row.quarantinedAt !== null) return fault('quarantined', 'The server is in quarantine.', { remedy: 'Release it first.', details: { since: row.quarantinedAt } });
  if (!row.enabled) return fault('disabled', 'The server is switched off.', { remedy: 'Switch it on.' });
  return null;
};

/** Tells whether a running server still has the configuration it was started with: also a rotated secret, which no fingerprint shows. Held in memory only. */
export const configurationMark = (launch: Launch, reveal: RevealSecret): string => {
  const hash = createHash('sha256').update(launch.fingerprint);
  const values: Readonly<Record<string, ConfigValue>> = launch.kind === 'http' ? launch.headers : launch.env;
  for (const [name, value] of Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!('secretRef' in value)) continue;
    const secret = reveal(value.secretRef);
    hash.update(JSON.stringify([name, secret.ok ? secret.value : null]));
  }
  for (const [at, arg] of (launch.kind === 'http' ? [] : launch.args).entries()) {
    if (typeof arg === 'string') continue;
    const secret = reveal(arg.secretRef);
    hash.update(JSON.stringify([at, secret.ok ? secret.value : null]));
  }
  for (const [name, one] of Object.entries(launch.placeholders ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const secret = 'secretRef' in one ? reveal(one.secretRef) : null;
    hash.update(JSON.stringify([name, secret?.ok ? secret.value : null]));
  }
  return hash.digest('hex');
};
