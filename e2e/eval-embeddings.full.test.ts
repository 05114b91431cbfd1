import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { textOf } from '../main/agent/embeddings/definition-text.ts';
import { judge, trialOf } from '../main/agent/embeddings/gate.ts';
import { ownIndex } from '../main/agent/embeddings/known-tools.ts';
import { raisesOf } from '../main/agent/embeddings/raises.ts';
import { pack, unit, unpack, without, type Packed } from '../main/agent/embeddings/vector.ts';
import { rerank } from '../main/agent/selection/rerank.ts';
import type { Choosable } from '../main/agent/selection/tool-selector.ts';
import { ScriptedEmbeddings } from './fixtures/model/scripted-embeddings.ts';
import { constantVector, meaningOf, randomVector, wordsVector, type TextModel } from './fixtures/model/vectors.ts';
import { madeTools } from './support/made-tools.ts';

vi.setConfig({ testTimeout: 600_000 });

const root = fileURLToPath(new URL('..', import.meta.url));
const EVAL = fileURLToPath(new URL('../../shared/eval/', import.meta.url));
const WORDS = join(root, 'assets/selection');
const run = promisify(execFile);

test('EM17 the evaluation asks an endpoint once for each text, judges it on each set, and prints the table with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-eval-'));
  const tools = madeTools();
  const [first, second] = ['qqx unheard of invoices', 'qqy unheard of songs'];
  const endpoint = new ScriptedEmbeddings(meaningOf(tools, new Map([[first, ['mcp:invoices:tool:export_invoice']], [second, ['mcp:songs:tool:delete_song']]])));
  const baseUrl = await endpoint.start();
  writeFileSync(join(folder, 'made.json'), JSON.stringify({
    tools: tools.map(({ id, serverId, definition }) => ({ id, server: serverId, ...definition })),
    queries: [{ id: '1', text: first, relevant: ['mcp:invoices:tool:export_invoice'] }, { id: '2', text: second, relevant: ['mcp:songs:tool:delete_song'] }],
  }));
  const evaluated = async (...more: string[]): Promise<string> => (await run(process.execPath, ['bench/eval.ts', folder, ...more], { cwd: root })).stdout;
  const r1 = (text: string): number => (JSON.parse(text.trim().split('\n').at(-1)!) as { r1: number }[])[0]!.r1;
  const withEndpoint = [`--embeddings=${baseUrl}`, '--embeddings-model=m', `--embeddings-cache=${join(folder, 'cache', 'vectors.jsonl')}`];
  expect(await evaluated(...withEndpoint)).toMatch(/^made: embeddings take part, weight 0\.\d+/);
  endpoint.requests.length = 0;
  expect(r1(await evaluated('--json', ...withEndpoint))).toBeGreaterThanOrEqual(r1(await evaluated('--json')));
  expect(endpoint.requests).toEqual([]);
  await endpoint.close();
  rmSync(folder, { recursive: true, force: true });
});

interface EvalSet {
  readonly tools: readonly { readonly id: string; readonly server: string; readonly serverTitle?: string; readonly name: string; readonly title?: string; readonly description?: string; readonly inputSchema?: unknown }[];
  readonly queries: readonly { readonly text: string; readonly relevant: readonly string[] }[];
}
const sets = existsSync(EVAL) ? readdirSync(EVAL).filter((file) => file.endsWith('.json')) : [];
const MOST_QUERIES = 150;

test.skipIf(sets.length === 0).each(sets.length === 0 ? ['none'] : sets)('EM05 EM07 %s: a weak model changes no order, one that knows meanings makes none worse on the whole (skipped without ../shared/eval)', async (file) => {
  const set = JSON.parse(readFileSync(EVAL + file, 'utf8')) as EvalSet;
  const tools = set.tools.map(({ id, server, serverTitle, name, title, description, inputSchema }): Choosable => ({ id, serverId: server, serverTitle: serverTitle ?? server, definitionFingerprint: id, definition: { name, ...(title === undefined ? {} : { title }), ...(description ? { description } : {}), inputSchema } }));
  const trial = trialOf(tools);
  const [inPool, inAll] = [ownIndex(WORDS), ownIndex(WORDS)];
  const queries = set.queries.slice(0, MOST_QUERIES);
  const asked = new Map<string, Awaited<ReturnType<typeof inPool>>>();
  const judged = (model: TextModel) => {
    const packed = (text: string): Packed | null => ((vector) => vector && unpack(pack(vector), vector.length))(unit(model(text)));
    const part = (texts: readonly (readonly [string, string | null])[]) => ((found) => (fingerprint: string) => found.get(fingerprint) ?? null)(new Map(texts.flatMap(([id, text]) => (text === null ? [] : [[id, packed(text)] as const]))));
    const wholeOf = part(tools.map(({ id, definition }) => [id, textOf(definition)]));
    const rank: typeof inPool = async (request, pool, count) => {
      const known = asked.get(request) ?? (await inPool(request, pool, count));
      asked.set(request, known);
      return known;
    };
    return judge(trial, { rank, wholeOf, leadOf: part(trial.tried.map(({ tool, lead }) => [tool.id, textOf(lead.definition)])), restOf: part(trial.tried.map(({ tool, rest }) => [tool.id, rest])), strangeOf: part(trial.tried.map(({ tool, strange }) => [tool.id, strange])) }).then((found) => ({ ...found, wholeOf }));
  };
  for (const weak of [randomVector, constantVector, wordsVector]) expect((await judged(weak)).gate.weight).toBe(0);
  const good = meaningOf(tools, new Map(queries.map(({ text, relevant }) => [text, relevant])), 1.2);
  const { gate, centre, wholeOf } = await judged(good);
  let [alone, helped] = [0, 0];
  for (const { text, relevant } of queries) {
    const ranked = await inAll(text, tools, 60);
    const question = centre && unit(without(unit(good(text))!, centre));
    const moved = question ? rerank(ranked, raisesOf(question, ranked.map(({ id, score }) => ({ id, score, definitionFingerprint: id })), wholeOf, gate.weight), () => 0) : ranked;
    const share = (order: readonly { readonly id: string }[]): number => order.slice(0, 5).filter(({ id }) => relevant.includes(id)).length / relevant.length;
    alone += share(ranked);
    helped += share(moved);
  }
  expect(helped).toBeGreaterThanOrEqual(alone);
});
