import type { InstalledApp, MarketEntry } from '../../shared/market.ts';
import type { FacetValue } from '../../shared/market-facets.ts';
import type { ServerSpec } from '../../shared/server.ts';
import type { Bus } from '../bus.ts';
import type { Catalog } from '../market/catalog.ts';
import { isNewer } from '../market/newer-version.ts';
import type { Store } from '../store/database.ts';
import { readInstallation } from '../store/installations.ts';
import { listServers } from '../store/servers.ts';

/** The exact version that the launch of an entry's kind names; null for what ships with Gantry and what runs elsewhere. */
export const catalogVersion = ({ spec, package: outside }: Pick<MarketEntry, 'spec' | 'package'>): string | null =>
  spec.kind === 'npm' ? (spec.version ?? null) : outside?.registry === 'pypi' ? outside.version : outside?.registry === 'oci' ? outside.tag : null;

/** The version in a command line that was made from a package of PyPI or an image registry. */
const versionIn = (spec: ServerSpec, args: readonly string[], { package: outside }: Pick<MarketEntry, 'package'>): string | null => {
  if (spec.kind !== 'command' || outside === undefined) return null;
  const lead = outside.registry === 'pypi' ? `${outside.name}==` : `${outside.image}:`;
  return args.find((arg) => arg.startsWith(lead))?.slice(lead.length) ?? null;
};

/** Which servers were made from which entry of the market, and which of them the catalog has a newer version of. Read again when a server has changed. */
export class InstalledApps {
  readonly #deps: { readonly store: Store; readonly catalog: Catalog };
  #known: ReadonlyMap<string, readonly InstalledApp[]> | null = null;

  constructor(deps: { readonly store: Store; readonly catalog: Catalog; readonly bus: Bus }) {
    this.#deps = deps;
    for (const name of ['server:changed', 'server:removed'] as const) deps.bus.on(name, () => (this.#known = null));
  }

  of(entryId: string): readonly InstalledApp[] {
    return this.#all().get(entryId) ?? [];
  }

  presence(): ReadonlyMap<string, readonly FacetValue<'presence'>[]> {
    return new Map([...this.#all()].map(([id, apps]) => [id, apps.some((app) => app.update !== null) ? ['installed', 'update'] : ['installed']]));
  }

  #all(): ReadonlyMap<string, readonly InstalledApp[]> {
    return (this.#known ??= this.#read());
  }

  #read(): ReadonlyMap<string, readonly InstalledApp[]> {
    const { store, catalog } = this.#deps;
    const apps = new Map<string, InstalledApp[]>();
    for (const row of store.read(listServers)) {
      const entry = row.marketEntryId === null ? null : catalog.get(row.marketEntryId);
      if (entry === null) continue;
      const plain = [...(row.spec.kind === 'command' ? (row.spec.args ?? []) : []), ...row.args.filter((arg) => typeof arg === 'string')];
      const installation = store.read((db) => readInstallation(db, row.id));
      const version = row.spec.kind === 'npm' ? (installation?.version ?? null) : versionIn(row.spec, plain, entry);
      const offered = catalogVersion(entry);
      apps.set(entry.id, [...(apps.get(entry.id) ?? []), { serverId: row.id, version, update: version !== null && offered !== null && isNewer(offered, version) ? offered : null, sizeBytes: installation?.sizeBytes ?? null }]);
    }
    return apps;
  }
}
