import type { Installation, Launch } from '../../../shared/server.ts';
import { buildLaunch } from '../../servers/launch.ts';
import { resolveForLaunch } from '../../servers/search-path.ts';
import type { Store } from '../../store/database.ts';
import { readInstallation } from '../../store/installations.ts';
import type { ServerRow } from '../../store/servers.ts';

/** The launch of a stored or not yet stored server. */
export type LaunchOf = (row: ServerRow, installation?: Installation | null) => Launch;

export const createLaunchOf =
  (deps: { readonly store: Store; readonly dataDir: string; readonly hostNode: string; readonly assetsDir: string }): LaunchOf =>
  (row, installation) =>
    buildLaunch({
      server: row,
      installation: installation ?? deps.store.read((db) => readInstallation(db, row.id)),
      dataDir: deps.dataDir,
      hostNode: deps.hostNode,
      assetsDir: deps.assetsDir,
      resolveCommand: resolveForLaunch,
    });
