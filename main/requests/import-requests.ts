import { isAbsolute, sep } from 'node:path';
import { fault, type Fault } from '../../shared/fault.ts';
import type { ImportPick, ImportPreview, ImportResult, ImportServer } from '../../shared/import.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { ServerSpec } from '../../shared/server.ts';
import { decideServer } from '../market/import/decide-server.ts';
import type { ImportFrom, Imports } from '../market/import/imports.ts';
import { showServer, showSource, type PreviewServer } from '../market/import/show-preview.ts';
import type { Store } from '../store/database.ts';
import { listServers, type ServerRow } from '../store/servers.ts';
import { onRecord, type Caller, type HandlersOf } from './handlers.ts';
import { addServer, idForName, type AddServerDeps } from './servers/add-server.ts';

export interface ImportRequestsDeps extends AddServerDeps {
  readonly imports: Imports;
  /** what `servers:remove` does, for a server that is replaced */
  readonly removeServer: (serverId: string) => Promise<Result<unknown, Fault>>;
}

const argsOf = (spec: ServerSpec): readonly string[] => ('args' in spec ? (spec.args ?? []) : []);

/** The same program or endpoint, whatever its values: version and secrets may differ. */
const isSame = (row: ServerRow, { prepared }: PreviewServer): boolean => {
  const { found, read } = prepared;
  const { spec } = row;
  const texts = (args: readonly unknown[]): string => JSON.stringify(args.map((arg) => (typeof arg === 'string' ? arg : '')));
  const own = [...argsOf(spec), ...row.args];
  const blanked = (args: readonly string[], kind: string, from = 0): string => texts(args.slice(from).map((_arg, at) => {
    const value = prepared.values.find((one) => one.place === `${kind}.${from + at + 1}`);
    return value === undefined || (value.why !== 'plain' && value.prefix === '') ? null : value.why === 'plain' ? value.text : `${value.prefix}\${${value.place}}`;
  }));
  const bare = (url: string): string => url.split(/[?#]/)[0]!.replace(/\/+$/, '').replace(/\$\{[^}]*\}/g, '');
  if (spec.kind === 'http') return prepared.url !== null && prepared.launches.some((one) => one.as === 'http') && bare(spec.url) === bare(prepared.url);
  if (spec.kind === 'npm') return read.npm !== null && spec.package === read.npm.package && texts(own) === blanked(read.args, 'arg', read.npm.from);
  if (spec.kind !== 'command' || found.command === null) return false;
  return (spec.command === read.command && texts(own) === blanked(read.args, 'arg')) || (spec.command === found.command && texts(own) === texts(found.args));
};

const existingOf = (server: PreviewServer, rows: readonly ServerRow[]): ImportServer['existing'] =>
  rows.flatMap((row): ImportServer['existing'] => {
    if (isSame(row, server)) return [{ serverId: row.id, name: row.name, how: 'same' }];
    const named = row.name.toLowerCase() === server.prepared.name.toLowerCase() || row.id === server.key;
    return named ? [{ serverId: row.id, name: row.name, how: 'name' }] : [];
  });

const failed = (key: string, name: string, why: Fault): ImportResult => ({ key, name, outcome: 'failed', serverId: null, replaced: null, fault: { ...why } });

/** Import: read what other programs have, show it, bring in what a person picks. Nothing of it starts anything. */
export const importRequests = (deps: ImportRequestsDeps): HandlersOf<'import'> => {
  const { imports } = deps;
  const rows = (store: Store): readonly ServerRow[] => store.read(listServers);

  const shown = (preview: { readonly id: string; readonly sources: Parameters<typeof showSource>[0][]; readonly servers: readonly PreviewServer[] }): ImportPreview => {
    const here = rows(deps.store);
    return { previewId: preview.id, sources: preview.sources.map(showSource), servers: preview.servers.map((server) => showServer(server, existingOf(server, here))) };
  };
  const open = async (from: ImportFrom): Promise<Result<ImportPreview, Fault>> => {
    const preview = await imports.open(from);
    return preview.ok ? ok(shown({ ...preview.value, sources: [...preview.value.sources] })) : preview;
  };

  const bring = async (server: PreviewServer, pick: ImportPick, caller: Caller): Promise<ImportResult> => {
    const existing = existingOf(server, rows(deps.store));
    const name = pick.name ?? server.prepared.name;
    if (existing.length > 0 && pick.onConflict === undefined) {
      return failed(server.key, name, fault('import_undecided', `${existing[0]!.name} is here already.`, { field: 'onConflict', remedy: 'Decide whether it replaces that one ("replace") or stands beside it ("keep_both").', details: { existing: existing.map((one) => one.serverId) } }));
    }
    const decided = decideServer(server.prepared, pick, { hostEnv: imports.hostEnv, home: imports.home, separator: sep });
    if (!decided.ok) return failed(server.key, name, decided.error);
    const { spec, args, env, headers, placeholders, home } = decided.value;
    const from = server.sources[0]!;
    const input = {
      spec, serverId: idForName(decided.value.name, deps), name: decided.value.name, consent: false, enabled: false, wait: true,
      ...(args.length > 0 ? { args } : {}), ...(Object.keys(env).length > 0 ? { env } : {}), ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...(placeholders === undefined ? {} : { placeholders }), ...(home === undefined ? {} : { home }),
    };
    const added = await addServer(input, onRecord(caller), deps, { importedFrom: from.host, ...(from.path === null ? {} : { file: from.path }) });
    if (!added.ok) return failed(server.key, name, added.error);
    // the former one goes only when the new one is whole
    const former = pick.onConflict === 'replace' ? (existing.find((one) => one.name === name) ?? existing[0] ?? null) : null;
    const removed = former === null ? null : await deps.removeServer(former.serverId);
    return { key: server.key, name: decided.value.name, outcome: 'added', serverId: added.value.serverId, replaced: former !== null && removed?.ok ? former.serverId : null, fault: removed !== null && !removed.ok ? { ...removed.error } : null };
  };

  return {
    'import:scan': () => open({ scan: true }),
    'import:read': ({ text, path, name }) => {
      if ((text === undefined) === (path === undefined)) return err(fault('invalid_request', 'give either a text or the path of a file', { field: '/text', remedy: 'Leave one of them out.' }));
      if (path !== undefined && !isAbsolute(path)) return err(fault('invalid_request', 'the path has to be absolute', { field: '/path', remedy: 'Give it from the root of the disk.' }));
      return open(path === undefined ? { text: text!, name } : { path });
    },
    'import:apply': async ({ previewId, source, servers }, caller) => {
      if ((previewId === undefined) === (source === undefined)) return err(fault('invalid_request', 'give either a preview or a source', { field: '/previewId', remedy: 'Leave one of them out.' }));
      if (source !== undefined && 'path' in source && !isAbsolute(source.path)) return err(fault('invalid_request', 'the path has to be absolute', { field: '/source/path', remedy: 'Give it from the root of the disk.' }));
      const read = previewId === undefined ? await imports.read(source!) : null;
      if (read !== null && !read.ok) return read;
      const preview = read?.value ?? imports.get(previewId!);
      if (preview === null) return err(fault('not_found', 'this preview is gone: it was forgotten, or is older than 30 minutes', { field: '/previewId', remedy: 'Read the source again.' }));
      const results: ImportResult[] = [];
      for (const pick of servers) {
        const server = preview.servers.find((one) => one.key === pick.key);
        results.push(server === undefined ? failed(pick.key, pick.key, fault('not_found', `there is no ${pick.key} in this`, { field: 'key', remedy: `There are: ${preview.servers.map((one) => one.key).join(', ')}.` })) : await bring(server, pick, caller));
      }
      return ok({ results });
    },
    'import:forget': ({ previewId }) => {
      imports.forget(previewId);
      return ok({});
    },
  };
};
