/**
 * `npm run eval -- <folder> [--json]`: which capability for which request, for every set of a folder (`<name>.json`: {tools: [{id, server, name, ...}],
 * queries: [{id, text, relevant: [id]}]}; or `<name>.jsonl` as packaging/selection/own-requests has them). R@k is the share of the relevant tools among the first k, nDCG@10 and MRR as usual, in percent; p95 in
 * milliseconds of one ranking, null where a set has nothing to measure. A file that is no set is named, the others are measured, and the exit code is 1. The same once
 * more with the names of servers and tools taken away: what falls there lived on names.
 * With `--embeddings=<base address> --embeddings-model=<name>` (and `--embeddings-key-env=<variable>`, `--embeddings-dimensions=<n>`, `--embeddings-cache=<file>`) the
 * endpoint is judged on each set's tools as on a person's and takes part as far as it helps; p95 is then without the wait for it.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSelectionWords } from '../main/agent/selection/assets.ts';
import { rankTools } from '../main/agent/selection/rank.ts';
import type { ToolText } from '../main/agent/selection/tool-fields.ts';
import { ToolIndex } from '../main/agent/selection/tool-index.ts';
import { EvalEmbeddings, type EvalMatcher } from './eval-embeddings.ts';
import { readEvalSet, type EvalSet } from './eval-set.ts';
import { readOwnRequests, type Among } from './own-requests.ts';
import { printCells, quantile } from './table.ts';

interface Row {
  readonly set: string;
  readonly r1: number | null;
  readonly r5: number | null;
  readonly r10: number | null;
  readonly ndcg: number | null;
  readonly mrr: number | null;
  readonly p95Ms: number | null;
}

/** Rankings before the first that counts, so that a small set is measured as a large one is. */
const WARM_UP = 200;

const WORDS = fileURLToPath(new URL('../assets/selection', import.meta.url));
const words = await readSelectionWords(WORDS);

const toolTexts = ({ tools }: EvalSet, anonymous: boolean): ToolText[] => {
  const servers = [...new Set(tools.map((tool) => tool.server))];
  return tools.map((tool, at) => ({
    id: tool.id,
    serverId: tool.server,
    serverTitle: anonymous ? `s${servers.indexOf(tool.server)}` : (tool.serverTitle ?? tool.server),
    definition: { name: anonymous ? `t${at}` : tool.name, ...(tool.title === undefined || anonymous ? {} : { title: tool.title }), ...(tool.description ? { description: tool.description } : {}), ...(tool.inputSchema === undefined ? {} : { inputSchema: tool.inputSchema }) },
  }));
};

const indexOf = (tools: readonly ToolText[]): ToolIndex => {
  const index = new ToolIndex(words);
  for (const tool of tools) index.add(tool);
  return index;
};

/** So many are found by words for the endpoint to choose among. */
const TO_REORDER = 60;

type AmongOf = (queryId: string) => Among;

const measure = async (name: string, set: EvalSet, among: AmongOf, anonymous: boolean, embeddings: EvalEmbeddings | null): Promise<Row> => {
  const tools = toolTexts(set, anonymous);
  const indexes = new Map<Among, ToolIndex>();
  const indexFor = (queryId: string): ToolIndex => {
    const servers = among(queryId);
    const known = indexes.get(servers);
    if (known) return known;
    const made = indexOf(servers === null ? tools : tools.filter(({ serverId }) => servers.has(serverId)));
    indexes.set(servers, made);
    return made;
  };
  const matcher = embeddings === null ? null : await embeddings.prepare(tools.map((tool) => ({ ...tool, definitionFingerprint: tool.id })));
  await matcher?.vectorsOf(set.queries.map(({ text }) => text));
  if (matcher?.gate && !asJson) console.log(gateLine(name, anonymous, matcher.gate));
  const rank = ({ id, text }: EvalSet['queries'][number]) => (matcher === null ? rankTools(text, indexFor(id), { count: 10 }) : matcher.reorder(text, rankTools(text, indexFor(id), { count: TO_REORDER })).slice(0, 10));
  const sum = { r1: 0, r5: 0, r10: 0, ndcg: 0, mrr: 0 };
  const took: number[] = [];
  for (let i = 0; i < WARM_UP && set.queries.length > 0; i += 1) rank(set.queries[i % set.queries.length]!);
  for (const query of set.queries) {
    indexFor(query.id);
    const wanted = new Set(query.relevant);
    const from = performance.now();
    const ranked = rank(query).map(({ id }) => wanted.has(id));
    took.push(performance.now() - from);
    const share = (k: number): number => ranked.slice(0, k).filter(Boolean).length / wanted.size;
    sum.r1 += share(1);
    sum.r5 += share(5);
    sum.r10 += share(10);
    const gain = (hit: boolean, at: number): number => (hit ? 1 / Math.log2(at + 2) : 0);
    const ideal = Array.from({ length: Math.min(10, wanted.size) }, (_, at) => gain(true, at)).reduce((a, b) => a + b, 0);
    sum.ndcg += ranked.reduce((total, hit, at) => total + gain(hit, at), 0) / ideal;
    const first = ranked.indexOf(true);
    sum.mrr += first < 0 ? 0 : 1 / (first + 1);
  }
  const percent = (x: number): number | null => (took.length === 0 ? null : Math.round((1000 * x) / took.length) / 10);
  return { set: name, r1: percent(sum.r1), r5: percent(sum.r5), r10: percent(sum.r10), ndcg: percent(sum.ndcg), mrr: percent(sum.mrr), p95Ms: took.length === 0 ? null : Math.round(quantile(took, 0.95) * 1000) / 1000 };
};

const gateLine = (name: string, anonymous: boolean, { weight, why, model, words: byWords, together }: NonNullable<EvalMatcher['gate']>): string =>
  `${name}${anonymous ? ' without names' : ''}: embeddings ${weight > 0 ? `take part, weight ${weight}` : `take no part (${why})`}; halves of descriptions found (MRR): model ${model.toFixed(2)}, words ${byWords.toFixed(2)}, together ${together.toFixed(2)}`;

const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
if (folder === undefined) {
  console.error('Usage: npm run eval -- <folder> [--json]   (a folder of sets as ../shared/eval)');
  process.exit(2);
}
const asJson = process.argv.includes('--json');
const option = (name: string): string | undefined => process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const openEmbeddings = (): EvalEmbeddings | null => {
  const baseUrl = option('embeddings');
  if (baseUrl === undefined) return null;
  const model = option('embeddings-model');
  if (model === undefined || !URL.canParse(baseUrl)) {
    console.error('--embeddings wants a base address (https://.../v1), and --embeddings-model=<name> beside it.');
    process.exit(2);
  }
  const dimensions = option('embeddings-dimensions');
  return new EvalEmbeddings({ baseUrl, model, key: process.env[option('embeddings-key-env') ?? ''] ?? null, dimensions: dimensions === undefined ? null : Number(dimensions) }, WORDS, option('embeddings-cache'));
};
const embeddings = openEmbeddings();
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length).split(',');
if (!existsSync(folder) || !statSync(folder).isDirectory()) {
  console.error(`There is no folder ${folder}.`);
  process.exit(2);
}
const sets = readdirSync(folder).filter((file) => /\.jsonl?$/.test(file) && (only === undefined || only.some((start) => file.startsWith(start)))).sort();
if (sets.length === 0) console.error(`${folder} holds no set (<name>.json or <name>.jsonl).`);
const rows: Row[] = [];
const nameless: Row[] = [];
for (const file of sets) {
  const text = readFileSync(join(folder, file), 'utf8');
  const own = file.endsWith('.jsonl') ? readOwnRequests(text) : null;
  const read = own ?? readEvalSet(text);
  if ('why' in read) {
    console.error(`${file} was not measured: ${read.why}`);
    process.exitCode = 1;
    continue;
  }
  for (const remark of read.remarks) console.error(`${file}: ${remark}`);
  const among: AmongOf = own !== null && 'among' in own ? own.among : () => null;
  const name = basename(file).replace(/\.jsonl?$/, '');
  rows.push(await measure(name, read.set, among, false, embeddings));
  nameless.push(await measure(name, read.set, among, true, embeddings));
}
await embeddings?.close();
const shown = (x: number | null, digits: number): string => x?.toFixed(digits) ?? '-';
const cells = (all: readonly Row[]): string[][] => all.map(({ set, r1, r5, r10, ndcg, mrr, p95Ms }) => [set, ...[r1, r5, r10, ndcg, mrr].map((x) => shown(x, 1)), shown(p95Ms, 2)]);
const HEAD = ['set', 'R@1 %', 'R@5 %', 'R@10 %', 'nDCG@10 %', 'MRR %', 'p95 ms'];
if (!asJson) {
  console.log(printCells([HEAD, ...cells(rows)]));
  console.log('\nWithout the names of servers and tools:');
  console.log(printCells([HEAD, ...cells(nameless)]));
} else console.log(JSON.stringify(rows));
