import type { Secrets } from '../../secrets/secrets.ts';
import type { Store } from '../../store/database.ts';
import { listServerIds } from '../../store/servers.ts';
import { HOST_SECRETS } from '../../secrets/host-secrets.ts';

/** At start: secrets of an installation that a crash cut off belong to no server and go. */
export const removeOrphanSecrets = ({ store, secrets }: { readonly store: Store; readonly secrets: Secrets }): void => {
  const known = new Set([...store.read(listServerIds), HOST_SECRETS]);
  for (const owner of new Set(secrets.list().map((s) => s.serverId))) {
    if (!known.has(owner)) secrets.removeForServer(owner);
  }
};
