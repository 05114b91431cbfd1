import { templateParts } from '../../../shared/placeholders.ts';
import type { ImportAsk, ImportServer, ImportSource, ImportValue, NotBrought } from '../../../shared/import.ts';
import { bounded } from './bounds.ts';
import type { FoundSource, Unread } from './found-server.ts';
import type { JsonValue } from './json-value.ts';
import { isSecretName, isSecretShape, judgeArgument, masked } from './judge-value.ts';
import { warningsFor } from './launch-warnings.ts';
import { identityOf, prepareServer, type Prepared, type RawValue } from './prepare-server.ts';
import { secretPartsOf } from './url-parts.ts';

/** A prepared server with every place it was found in. */
export interface PreviewServer {
  readonly key: string;
  readonly prepared: Prepared;
  readonly sources: ImportServer['sources'];
}

const keyOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 48) || 'server';

/** The same server in two programs is one, with both as its sources; another one of the same name keeps a key of its own. */
export const mergeSources = (sources: readonly FoundSource[], hostEnv: Readonly<Record<string, string | undefined>>): readonly PreviewServer[] => {
  const byIdentity = new Map<string, { prepared: Prepared; sources: ImportServer['sources'][number][] }>();
  for (const source of sources) {
    for (const found of source.servers) {
      const prepared = prepareServer(bounded(found), hostEnv);
      const here = { host: source.host, path: source.path, name: prepared.name, place: found.path.join('.') };
      const identity = identityOf(prepared);
      const before = byIdentity.get(identity);
      if (before === undefined) byIdentity.set(identity, { prepared, sources: [here] });
      else {
        before.sources.push(here);
        // what one source says beyond the launch is told of each
        before.prepared = { ...before.prepared, unread: [...before.prepared.unread, ...prepared.unread], found: { ...before.prepared.found, disabled: before.prepared.found.disabled && found.disabled } };
      }
    }
  }
  const keys = new Set<string>();
  return [...byIdentity.values()].map(({ prepared, sources: places }) => {
    const base = keyOf(prepared.name);
    let key = base;
    for (let n = 2; keys.has(key); n += 1) key = `${base}-${n}`;
    keys.add(key);
    return { key, prepared, sources: places };
  });
};

const SHOWN = 300;
const cut = (text: string): string => (text.length > SHOWN ? `${[...text.slice(0, SHOWN)].join('')}…` : text);

/** A field that stays behind, as text, with what may be secret in it masked. */
const shownField = (value: JsonValue, path: readonly (string | number)[]): JsonValue => {
  if (typeof value === 'string') {
    const secret = path.some((key) => /headers?$/i.test(String(key))) || path.some((key) => typeof key === 'string' && isSecretName(key)) || isSecretShape(value);
    return secret && value !== '' ? '••••' : withMaskedUrl(value);
  }
  if (Array.isArray(value)) return value.map((one, at) => (typeof one === 'string' && at > 0 && typeof value[at - 1] === 'string' && judgeArgument(one, value[at - 1] as string).why !== 'plain' ? '••••' : shownField(one as JsonValue, path)));
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shownField(one as JsonValue, [...path, key])]));
  return value;
};

const withMaskedUrl = (text: string): string => (/^[a-z]+:\/\//i.test(text) ? maskedUrl(text) : text);

const maskedUrl = (url: string): string => {
  let shown = '';
  let at = 0;
  for (const part of secretPartsOf(url)) {
    shown += `${url.slice(at, part.start)}••••`;
    at = part.end;
  }
  return shown + url.slice(at);
};

export const notBroughtOf = (unread: readonly Unread[]): NotBrought[] => {
  const seen = new Set<string>();
  return unread.flatMap(({ path, reason, value }): NotBrought[] => {
    const shown = shownField(value, path);
    const one = { field: path.map((key) => String(key)).join('.'), reason, shown: cut(typeof shown === 'string' ? shown : JSON.stringify(shown)) };
    const mark = JSON.stringify(one);
    if (seen.has(mark)) return [];
    seen.add(mark);
    return [one];
  });
};

/** A template as it is shown: what stands in for a missing secret is masked. */
const shownTemplate = (text: string): string =>
  templateParts(text).map((part) => (typeof part === 'string' ? part : part.otherwise !== null && (isSecretName(part.name) || isSecretShape(part.otherwise)) ? `\${${part.name}:-••••}` : part.name.startsWith('blank:') ? part.name.slice(6) : part.raw)).join('');

const valueOf = (value: RawValue, asks: readonly ImportAsk[]): ImportValue => {
  const secret = value.why !== 'plain';
  const shown = secret ? masked(value.text) : value.place === 'url' ? maskedUrl(value.text) : shownTemplate(value.text);
  return { place: value.place, prefix: value.prefix, shown: `${value.prefix}${shown}`, secret, why: value.why, asks: asks.filter((ask) => ask.places.includes(value.place)).map((ask) => ask.name) };
};

/** One server as a window may see it: no value that counts as a secret is in it. */
export const showServer = ({ key, prepared, sources }: PreviewServer, existing: ImportServer['existing']): ImportServer => {
  const warnings = warningsFor(prepared);
  const asks = prepared.asks.map((ask): ImportAsk => ({ ...ask, default: ask.default !== null && (ask.secret || isSecretShape(ask.default)) ? '••••' : ask.default }));
  const loud = warnings.some(({ code }) => ['shell', 'inline_code', 'package_address', 'shell_characters', 'container_privileged', 'hidden_characters', 'padding'].includes(code));
  return {
    key,
    name: prepared.name,
    sources: [...sources],
    launches: prepared.launches.map((launch) => (launch.as === 'http' ? { ...launch, url: maskedUrl(launch.url) } : launch)),
    values: prepared.values.map((value) => valueOf(value, asks)),
    asks,
    disabled: prepared.found.disabled,
    dangerous: [...prepared.dangerous],
    warnings,
    notBrought: notBroughtOf(prepared.unread),
    existing: [...existing],
    fault: prepared.fault === null ? null : { ...prepared.fault },
    suggested: prepared.fault === null && existing.length === 0 && !loud && !prepared.found.disabled,
  };
};

export const showSource = (source: FoundSource): ImportSource => ({
  host: source.host,
  path: source.path,
  state: source.fault !== null ? 'failed' : source.absent ? 'absent' : 'read',
  fault: source.fault === null ? null : { ...source.fault },
  servers: source.servers.length,
  notBrought: notBroughtOf(source.unread),
});
