/**
 * Checks the built-in catalog: all entries against the rules of docs/spec/install.md, then npm entries against the real thing: each is installed into an empty
 * data folder, connected, and its tools are read.
 * `npm run -s catalog:verify [-- [--write] [--review] [--jobs n] [id...]]`. With --write, what was said goes to assets/observed/<id>.json and the entry becomes verified;
 * with --review, each tool's description is printed for a reviewer. Needs the package registry.
 * Without ids all verified entries are connected. Ends with exit code 1 where a rule is broken, an entry could not be connected, or a reviewed tool is missing or
 * its definition moved, or where what an app says is not what the record of that version has; what the record marks as of the machine may differ.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CatalogFileSchema, type CatalogFile } from '../../shared/market.ts';
import { ObservedSchema, type Observed } from '../../shared/market-observed.ts';
import { catalogComplaints } from './catalog-rules.ts';
import { observeApp, type Observation } from './observe-app.ts';
import { recordComplaints } from './observed-record.ts';
import { sampleValues } from './sample-values.ts';

const assets = (folder: string): string => fileURLToPath(new URL(`../../assets/${folder}`, import.meta.url));
const read = (id: string): CatalogFile => CatalogFileSchema.parse(JSON.parse(readFileSync(join(assets('catalog'), `${id}.json`), 'utf8')));
const readObserved = (id: string): Observed | null => {
  const path = join(assets('observed'), `${id}.json`);
  return existsSync(path) ? ObservedSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
};
const write = (folder: string, id: string, value: object): void => {
  mkdirSync(assets(folder), { recursive: true });
  writeFileSync(join(assets(folder), `${id}.json`), `${JSON.stringify(value, null, 2)}\n`);
};

const given = process.argv.slice(2);
const writes = given.includes('--write');

interface Outcome {
  readonly id: string;
  readonly observation: Observation | null;
  readonly problem: string | null;
}

const observe = async (entry: CatalogFile): Promise<Outcome> => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-sample-'));
  try {
    const { args, env, madeUp, optionalEnv } = sampleValues(entry, folder);
    const spec = entry.spec.kind === 'npm' ? { ...entry.spec, args: [...(entry.spec.args ?? []), ...args] } : entry.spec;
    const result = await observeApp({ entryId: entry.id, spec, env, madeUp, optionalEnv, folders: [folder] });
    if (!result.ok) return { id: entry.id, observation: null, problem: `${result.error.code}: ${result.error.message}` };
    const said = new Map(result.value.observed.tools.map((tool) => [tool.name, tool.definitionFingerprint]));
    const missing = entry.reviewedTools.filter((tool) => !said.has(tool.name)).map((tool) => tool.name);
    const moved = entry.reviewedTools.filter((tool) => said.has(tool.name) && tool.definitionFingerprint !== said.get(tool.name)).map((tool) => tool.name);
    const record = readObserved(entry.id);
    const problems = [...(record === null || writes ? [] : recordComplaints(record, result.value.observed)), ...(missing.length > 0 ? [`reviewed tools missing: ${missing.join(', ')}`] : []), ...(moved.length > 0 ? [`reviewed tools changed: ${moved.join(', ')}`] : [])];
    return { id: entry.id, observation: result.value, problem: problems.length > 0 ? problems.join('; ') : null };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** A review stands only for the definition it was made on: the observed file tells, the reviews are not touched. */
const store = (id: string, observation: Observation): void => {
  write('observed', id, observation.observed);
  const { unverified: _, ...file } = JSON.parse(readFileSync(join(assets('catalog'), `${id}.json`), 'utf8')) as Record<string, unknown>;
  write('catalog', id, { ...file, verified: true, checkedAt: observation.observed.observedAt });
};

const tell = ({ id, observation, problem }: Outcome): void => {
  const seen = observation === null ? '' : `${observation.observed.version} ${observation.observed.tools.length} tools ${Math.round(observation.observed.sizeBytes / 1e6)} MB ${observation.observed.protocolVersion}`;
  process.stdout.write(`${problem === null ? 'ok  ' : 'FAIL'} ${id} ${seen} ${problem ?? ''}\n`);
};

const jobs = given.includes('--jobs') ? Number(given[given.indexOf('--jobs') + 1]) : 1;
const wanted = given.filter((one, at) => !one.startsWith('--') && given[at - 1] !== '--jobs');
const all = readdirSync(assets('catalog')).map((file) => read(file.replace(/\.json$/, '')));
const entries = all
  // what Gantry neither installs nor ships cannot be checked so
  .filter((entry) => (entry.spec.kind === 'npm' || entry.spec.kind === 'builtin') && (wanted.length === 0 ? entry.verified : wanted.includes(entry.id)));

let failed = wanted.filter((id) => !entries.some((entry) => entry.id === id)).map((id) => `there is no npm or built-in entry ${id}`);
for (const line of failed) process.stdout.write(`FAIL ${line}\n`);
const ids = new Set(all.map((entry) => entry.id));
for (const entry of all) {
  for (const { rule, what } of catalogComplaints(entry, { observed: readObserved(entry.id), ids })) {
    process.stdout.write(`FAIL ${entry.id} ${rule}: ${what}\n`);
    failed = [...failed, entry.id];
  }
}
const waiting = [...entries];
await Promise.all(
  Array.from({ length: Math.max(1, jobs) }, async () => {
    for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
      const outcome = await observe(entry);
      tell(outcome);
      if (outcome.problem !== null) failed = [...failed, outcome.id];
      if (writes && outcome.observation) store(entry.id, outcome.observation);
      if (given.includes('--review')) for (const one of outcome.observation?.definitions ?? []) process.stdout.write(`${JSON.stringify(one)}\n`);
    }
  }),
);
process.exitCode = failed.length > 0 ? 1 : 0;
