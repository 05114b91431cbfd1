import type { InputOf } from '../../../shared/contract/contract.ts';
import type { MarketEntry } from '../../../shared/market.ts';
import type { ServerDetail } from '../../../shared/server.ts';

export interface CatalogUpdate {
  readonly from: string;
  readonly to: string;
  /** the part of the launch that changes, as it is and as it would be */
  readonly before: string;
  readonly after: string;
  readonly change: Omit<InputOf<'servers:update'>, 'serverId'>;
}

/** What brings a server to the catalog's version: another version of its package, or the one argument that names it. Null where there is none to be had. */
export const updateOf = (server: Pick<ServerDetail, 'id' | 'spec' | 'args'>, entry: Pick<MarketEntry, 'installed' | 'package'>): CatalogUpdate | null => {
  const app = entry.installed.find((one) => one.serverId === server.id);
  if (!app || app.version === null || app.update === null) return null;
  const { version: from, update: to } = app;
  if (server.spec.kind === 'npm') return { from, to, before: `${server.spec.package}@${from}`, after: `${server.spec.package}@${to}`, change: { version: to } };
  if (server.spec.kind !== 'command' || entry.package === undefined) return null;
  const lead = entry.package.registry === 'pypi' ? `${entry.package.name}==` : `${entry.package.image}:`;
  const [before, after] = [`${lead}${from}`, `${lead}${to}`];
  const args = [...(server.spec.args ?? []), ...server.args].map((arg) => (arg === before ? after : arg));
  return args.includes(after) ? { from, to, before, after, change: { args } } : null;
};
