import type { Launch, ServerFact } from '../../../shared/server.ts';

const isArgument = (value: unknown): boolean => typeof value === 'string' || (typeof value === 'object' && value !== null && typeof (value as { secretRef?: unknown }).secretRef === 'string');

const isLaunch = (value: unknown): value is Launch => {
  if (typeof value !== 'object' || value === null) return false;
  const launch = value as Partial<Record<string, unknown>>;
  if (typeof launch['fingerprint'] !== 'string') return false;
  if (launch['kind'] === 'http') return typeof launch['url'] === 'string' && typeof launch['headers'] === 'object' && launch['headers'] !== null;
  return launch['kind'] === 'stdio' && typeof launch['command'] === 'string' && Array.isArray(launch['args']) && launch['args'].every(isArgument) && typeof launch['env'] === 'object' && launch['env'] !== null;
};

/** The launch that was last agreed to, where its fact kept it whole; null when only its fingerprint is on record. */
export const consentedLaunch = (facts: readonly ServerFact[], fingerprint: string | null): Launch | null => {
  const found = facts.filter((fact) => fact.step === 'consented').map((fact) => fact.data['launch']).filter(isLaunch);
  return found.find((launch) => launch.fingerprint === fingerprint) ?? null;
};

/** What its placeholders stand for; whether a value is masked is no part of a launch. */
const filledFrom = (launch: Launch): unknown => Object.entries(launch.placeholders ?? {}).map(([name, one]) => [name, 'variable' in one ? one.variable : true]).sort();

/** Names of what differs: line, package, folder, home, placeholders, value.<name>. */
export const launchDifference = (before: Launch, after: Launch): ReadonlySet<string> => {
  const marked = new Set<string>();
  const values = (launch: Launch): Readonly<Record<string, unknown>> => (launch.kind === 'http' ? launch.headers : launch.env);
  const differs = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
  const line = (launch: Launch): unknown => (launch.kind === 'http' ? launch.url : [launch.command, launch.args]);
  if (differs(line(before), line(after))) marked.add('line');
  if (before.kind === 'stdio' && after.kind === 'stdio') {
    if (differs(before.package ?? null, after.package ?? null)) marked.add('package');
    if (before.cwd !== after.cwd) marked.add('folder');
    if (before.home !== after.home) marked.add('home');
  }
  if (differs(filledFrom(before), filledFrom(after))) marked.add('placeholders');
  for (const name of new Set([...Object.keys(values(before)), ...Object.keys(values(after))])) {
    if (differs(values(before)[name] ?? null, values(after)[name] ?? null)) marked.add(`value.${name}`);
  }
  return marked;
};
