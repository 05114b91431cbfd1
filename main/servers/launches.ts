import type { Installation, Launch } from '../../shared/server.ts';
import { readInstallation } from '../store/installations.ts';
import { readServer, type ServerRow } from '../store/servers.ts';
import { buildLaunch, runsOnOwnNode } from './launch.ts';
import { SearchedPath } from './login-path.ts';
import type { ServerPoolDeps } from './pool-deps.ts';
import { findCommand } from './search-path.ts';

/** What a start of a server would run now, and where its program is looked for. */
export class Launches {
  readonly path: SearchedPath;
  readonly #deps: ServerPoolDeps;

  constructor(deps: ServerPoolDeps) {
    this.#deps = deps;
    this.path = deps.open?.path ?? new SearchedPath(process.env['PATH'] ?? '');
  }

  /** Null when there is no such server. */
  of(serverId: string): Launch | null {
    const row = this.#deps.store.read((db) => readServer(db, serverId));
    return row && this.for(row);
  }

  for(row: ServerRow, installation: Installation | null = this.#deps.store.read((db) => readInstallation(db, row.id))): Launch {
    return buildLaunch({
      server: row,
      installation,
      dataDir: this.#deps.dataDir,
      hostNode: this.#deps.hostNode,
      networkNames: this.#deps.network.appNames(runsOnOwnNode(row.spec)),
      ...(this.#deps.assetsDir === undefined ? {} : { assetsDir: this.#deps.assetsDir }),
      resolveCommand: (command, cwd) => this.findProgram(command, cwd),
    });
  }

  /** The absolute file that a launch of this command would start, or null. */
  findProgram(command: string, cwd = this.#deps.dataDir): string | null {
    const found = findCommand({ command, path: this.path.current, cwd });
    return found.ok ? found.value : null;
  }
}
