import type { Fault } from '../../../shared/fault.ts';
import type { Result } from '../../../shared/result.ts';
import type { Installation } from '../../../shared/server.ts';
import type { Clock } from '../../clock.ts';
import type { Installer } from '../../market/installer.ts';
import type { Store } from '../../store/database.ts';
import { readInstallation, saveInstallation } from '../../store/installations.ts';
import { addServerFact } from '../../store/server-facts.ts';
import { listServers } from '../../store/servers.ts';
import type { LaunchOf } from './server-view.ts';

const DESCRIBED = ['version', 'integrity', 'lockSha256', 'dir', 'entry'] as const satisfies readonly (keyof Installation)[];

/**
 * At start: first-party servers run from where Gantry lies, so an update of Gantry changes them without a word. What changed is described anew; its launch is then
 * another one, and nothing of it runs before a person agrees. One that only lies elsewhere keeps its consent. Gives the servers whose launch changed.
 */
export const refreshBuiltins = async (deps: { readonly store: Store; readonly clock: Clock; readonly installer: Pick<Installer, 'install'>; readonly launchOf: LaunchOf }): Promise<readonly string[]> => {
  const { store, clock, installer, launchOf } = deps;
  const changed: string[] = [];
  for (const row of store.read(listServers).filter((one) => one.spec.kind === 'builtin')) {
    const before = store.read((db) => readInstallation(db, row.id));
    if (before === null) continue;
    const now: Result<Installation, Fault> = await installer.install({ serverId: row.id, spec: row.spec });
    // one that Gantry no longer has is refused when it is to start
    if (!now.ok || DESCRIBED.every((field) => now.value[field] === before[field])) continue;
    const [was, is] = [launchOf(row, before).fingerprint, launchOf(row, now.value).fingerprint];
    store.write((db) => {
      saveInstallation(db, row.id, now.value);
      if (was !== is) addServerFact(db, row.id, { step: 'update', at: clock.now(), ok: true, data: { before: was, after: is, by: 'update of Gantry', versionBefore: before.version, version: now.value.version } });
    });
    if (was !== is) changed.push(row.id);
  }
  return changed;
};
