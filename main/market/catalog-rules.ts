import type { CatalogFile, MarketInput } from '../../shared/market.ts';
import { specOfPackage } from '../../shared/market.ts';
import type { Observed } from '../../shared/market-observed.ts';
import { TIERS } from '../../shared/tier.ts';

/** Identifiers of the SPDX licence list that entries use; another one is added here once it was looked up there. */
const LICENCES = new Set(['unknown', 'MIT', 'Apache-2.0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'MPL-2.0', 'GPL-3.0-only', 'AGPL-3.0-only', 'FSL-1.1-ALv2']);

/** npm takes semantic versions (semver.org), PyPI those of PEP 440 without ranges, a tag what a registry calls one: never one that moves. */
const EXACT = {
  npm: /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/,
  pypi: /^\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?(?:\.post\d+)?$/,
  oci: /^(?!(?:latest|main|master|stable|edge|nightly)$)[A-Za-z0-9_][A-Za-z0-9_.-]*\d[A-Za-z0-9_.-]*$/,
} as const;

/** Words that sell instead of saying; in both languages. */
const PRAISE = /\b(?:best|powerful|seamless(?:ly)?|ultimate|leading|official|amazing|awesome|easy|easily|effortless(?:ly)?|blazing|lightning|cutting-edge|revolutionary|world-class|state-of-the-art|unmatched|perfect)\b|最好|最强|强大|领先|官方|极速|无缝|一流|革命性|完美|轻松/i;

const NAMES = { env: /^[A-Za-z_][A-Za-z0-9_]*$/, header: /^[A-Za-z0-9-]+$/, arg: /^(?:--?[A-Za-z][A-Za-z0-9-]*|[a-z][a-z0-9-]*)$/ } as const;

/** One broken rule of docs/spec/install.md: its id, and what is wrong. */
export interface CatalogComplaint {
  readonly rule: 'M60' | 'M61' | 'M62' | 'M63' | 'M64' | 'M65';
  readonly what: string;
}

interface Around {
  readonly observed: Observed | null;
  /** ids of the whole catalog */
  readonly ids: ReadonlySet<string>;
}

/** What CI and `npm run catalog:verify` ask of an entry beyond its schema; empty when all holds. */
export const catalogComplaints = (entry: CatalogFile, { observed, ids }: Around): CatalogComplaint[] => {
  const found: CatalogComplaint[] = [];
  const ask = (rule: CatalogComplaint['rule'], holds: boolean, what: string): void => void (holds || found.push({ rule, what }));
  exactVersion(entry, ask);
  texts(entry, ids, ask);
  launch(entry, ask);
  standing(entry, observed, ask);
  reviews(entry, observed, ask);
  sources(entry, ask);
  return found;
};

type Ask = (rule: CatalogComplaint['rule'], holds: boolean, what: string) => void;

const exactVersion = ({ spec, package: outside }: CatalogFile, ask: Ask): void => {
  if (spec.kind === 'npm') ask('M60', spec.version !== undefined && EXACT.npm.test(spec.version), `npm version ${spec.version ?? 'none'}`);
  if (outside?.registry === 'pypi') ask('M60', EXACT.pypi.test(outside.version), `PyPI version ${outside.version}`);
  if (outside?.registry === 'oci') ask('M60', EXACT.oci.test(outside.tag), `image tag ${outside.tag}`);
};

const texts = (entry: CatalogFile, ids: ReadonlySet<string>, ask: Ask): void => {
  const ours = [entry.description, ...entry.inputs.map((input) => input.label), ...entry.reviewedTools.map((tool) => tool.purpose), ...(entry.withdrawn ? [entry.withdrawn.reason] : [])];
  for (const text of ours) {
    ask('M61', /^[\x20-\x7e]+$/.test(text.en) && /\p{Script=Han}/u.test(text.zh) && text.en !== text.zh, `not in both languages: ${text.en}`);
    ask('M61', !PRAISE.test(text.en) && !PRAISE.test(text.zh), `praise: ${text.en}`);
  }
  ask('M61', entry.categories.length >= 1 && entry.categories.length <= 3 && new Set(entry.categories).size === entry.categories.length, 'one to three categories');
  ask('M61', LICENCES.has(entry.licence), `licence ${entry.licence}`);
  for (const address of [entry.homepage, entry.repository]) ask('M61', address === undefined || /^https:\/\/[^\s/@]+\.[^\s/@]+(?:\/\S*)?$/.test(address), `address ${address}`);
  ask('M61', /^\d{4}-\d{2}-\d{2}$/.test(entry.checkedAt) && entry.reviewer !== '', 'who checked it, and when');
  ask('M61', entry.withdrawn?.instead === undefined || (ids.has(entry.withdrawn.instead) && entry.withdrawn.instead !== entry.id), `instead ${entry.withdrawn?.instead}`);
};

const SPEC_OF_KIND = { builtin: 'builtin', npm: 'npm', pypi: 'command', oci: 'command', remote: 'http', command: 'command' } as const;

const launch = (entry: CatalogFile, ask: Ask): void => {
  const { kind, spec, inputs, package: outside } = entry;
  ask('M62', spec.kind === SPEC_OF_KIND[kind], `${kind} with a ${spec.kind} launch`);
  ask('M62', (kind === 'pypi' || kind === 'oci') === (outside !== undefined) && (outside === undefined || outside.registry === kind), 'the package of a pypi or oci entry');
  if (outside) ask('M62', JSON.stringify(specOfPackage(outside, inputs)) === JSON.stringify(spec), 'the launch is not that of the package');
  ask('M62', (spec.kind === 'http') === (entry.transport !== 'stdio'), `transport ${entry.transport}`);
  if (spec.kind === 'http') ask('M62', spec.url.startsWith('https://'), `address ${spec.url}`);
  ask('M62', new Set(inputs.map(({ target, name }) => `${target} ${name}`)).size === inputs.length, 'an input twice');
  for (const input of inputs) ask('M62', fits(input, spec.kind === 'http'), `input ${input.name}`);
};

const fits = (input: MarketInput, isRemote: boolean): boolean =>
  NAMES[input.target].test(input.name) &&
  (input.target === 'header') === isRemote &&
  !(input.secret && input.default !== undefined) &&
  (input.choices === undefined || (input.choices.length > 0 && (input.default === undefined || input.choices.includes(input.default))));

const standing = (entry: CatalogFile, observed: Observed | null, ask: Ask): void => {
  ask('M63', entry.verified === (observed !== null), entry.verified ? 'verified without a record' : 'a record, and not verified');
  ask('M63', entry.verified === (entry.unverified === undefined), entry.verified ? 'verified, with a reason why not' : 'not verified, without a reason');
  if (observed === null) return;
  const { spec } = entry;
  const names = spec.kind === 'npm' ? [spec.package, spec.version] : spec.kind === 'builtin' ? [spec.name, observed.version] : [];
  ask('M63', observed.entryId === entry.id && observed.package === names[0] && observed.version === names[1], `the record is of ${observed.package} ${observed.version}`);
};

const reviews = (entry: CatalogFile, observed: Observed | null, ask: Ask): void => {
  const said = new Map(observed?.tools.map((tool) => [tool.name, tool.definitionFingerprint]) ?? []);
  for (const tool of entry.reviewedTools) {
    ask('M64', observed?.tools.find(({ name }) => name === tool.name)?.varies !== 'machine', `${tool.name} is declared otherwise on each machine: no review of it can hold`);
    ask('M64', said.has(tool.name), `${tool.name} was reviewed and not observed`);
    ask('M64', !said.has(tool.name) || said.get(tool.name) === tool.definitionFingerprint, `${tool.name} was observed with another definition`);
  }
  ask('M64', new Set(entry.reviewedTools.map(({ name }) => name)).size === entry.reviewedTools.length, 'a tool reviewed twice');
  const all = said.size > 0 && entry.reviewedTools.length === said.size;
  const known = TIERS[Math.max(...entry.reviewedTools.map(({ tier }) => TIERS.indexOf(tier)))];
  // nothing that was not reviewed can be above high write
  const highest = all || known === 'high_write' ? known : 'unknown';
  ask('M64', entry.highestTier === highest, `highest tier ${entry.highestTier}, by the reviews ${highest}`);
};

/** Facts that have to come from somewhere, by kind. */
const sources = (entry: CatalogFile, ask: Ask): void => {
  const told = new Set(entry.source.flatMap(({ facts }) => facts));
  const needed = [...({ builtin: ['spec'], npm: ['package', 'version'], pypi: ['package', 'version'], oci: ['package', 'version'], remote: ['url'], command: ['spec'] } as const)[entry.kind], ...(entry.inputs.length > 0 ? ['inputs'] : []), ...(entry.licence === 'unknown' ? [] : ['licence']), ...(entry.verified ? ['verified'] : []), ...(entry.withdrawn ? ['withdrawn'] : [])];
  for (const fact of needed) ask('M65', told.has(fact), `no source for ${fact}`);
  for (const { from, ref } of entry.source) ask('M65', from !== 'observed' || (entry.verified && ref === `assets/observed/${entry.id}.json`), `observed: ${ref}`);
  for (const { from, ref } of entry.source) ask('M65', !from.startsWith('npm_') || /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*@\d/.test(ref), `npm source without its version: ${ref}`);
};
