import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { askEmbeddings, BATCH, embeddingsClient, type EmbeddingsEndpoint } from '../main/agent/embeddings/ask-embeddings.ts';
import { bringUpToDate } from '../main/agent/embeddings/bring-up-to-date.ts';
import { ownIndex } from '../main/agent/embeddings/known-tools.ts';
import { raisesOf } from '../main/agent/embeddings/raises.ts';
import { asFloats, unit, unpack, without } from '../main/agent/embeddings/vector.ts';
import type { Ranked } from '../main/agent/selection/rank.ts';
import { rerank } from '../main/agent/selection/rerank.ts';
import type { Choosable } from '../main/agent/selection/tool-selector.ts';
import { Outbound } from '../main/network/outbound.ts';
import { DIRECT } from '../main/network/proxy-route.ts';
import { readSpace, readVectors } from '../main/store/embedding-vectors.ts';
import { openTestStore } from '../main/store/open-test-store.ts';
import type { EmbeddingsGate } from '../shared/embeddings.ts';
import type { Fault } from '../shared/fault.ts';
import { ok, type Result } from '../shared/result.ts';

const LONGEST_REQUEST = 2_000;
const MOST_MS = 120_000;

/** The order of a set's tools with the endpoint in it, as far as its gate lets it. */
export interface EvalMatcher {
  readonly gate: EmbeddingsGate | null;
  /** what the endpoint says of a request, at hand before time is taken */
  readonly vectorsOf: (requests: readonly string[]) => Promise<void>;
  readonly reorder: (request: string, ranked: readonly Ranked[]) => readonly Ranked[];
}

/** An embeddings endpoint for the evaluation: judged on each set's tools as on a person's. What was asked once is kept in a file, one line a text. */
export class EvalEmbeddings {
  readonly #endpoint: EmbeddingsEndpoint;
  readonly #words: string;
  readonly #file: string;
  readonly #kept = new Map<string, Float32Array>();
  readonly #client;

  /** `words`: assets/selection. `file`: where vectors are kept; else in the system's temporary folder. */
  constructor(endpoint: EmbeddingsEndpoint, words: string, file?: string) {
    this.#endpoint = endpoint;
    this.#words = words;
    const { baseUrl, model, dimensions } = endpoint;
    this.#file = file ?? join(tmpdir(), 'gantry-eval-embeddings', `${createHash('sha256').update(JSON.stringify([baseUrl, model, dimensions])).digest('hex').slice(0, 16)}.jsonl`);
    mkdirSync(dirname(this.#file), { recursive: true });
    for (const line of existsSync(this.#file) ? readFileSync(this.#file, 'utf8').split('\n') : []) {
      const [key, vector] = line === '' ? [] : (JSON.parse(line) as [string, string]);
      if (key !== undefined) this.#kept.set(key, new Float32Array(new Uint8Array(Buffer.from(vector!, 'base64')).buffer));
    }
    this.#client = embeddingsClient(new Outbound({ config: () => Promise.resolve(DIRECT) }), baseUrl);
  }

  async #ask(texts: readonly string[]): Promise<Result<Float32Array[], Fault>> {
    const missing = texts.filter((text) => !this.#kept.has(keyOf(text)));
    if (missing.length > 0) {
      const answer = await askEmbeddings(this.#endpoint, missing, { client: this.#client, mask: (text) => text, signal: AbortSignal.timeout(MOST_MS) });
      if (!answer.ok) return answer;
      for (const [at, vector] of answer.value.entries()) {
        this.#kept.set(keyOf(missing[at]!), vector);
        appendFileSync(this.#file, `${JSON.stringify([keyOf(missing[at]!), Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')])}\n`);
      }
    }
    return ok(texts.map((text) => this.#kept.get(keyOf(text))!));
  }

  /** Throws where the endpoint fails. */
  async prepare(tools: readonly Choosable[]): Promise<EvalMatcher> {
    const store = openTestStore();
    const done = await bringUpToDate({
      store, tools, clock: { now: () => 0 }, spaceName: 'eval', askedDimension: this.#endpoint.dimensions, rank: ownIndex(this.#words), signal: new AbortController().signal,
      ask: (texts) => this.#ask(texts), onRetry: () => {}, onProgress: () => {}, pause: (ms) => new Promise((resume) => { setTimeout(resume, ms); }),
    });
    if (!done.ok) throw new Error(`${done.error.code}: ${done.error.message}`);
    const space = store.read((db) => readSpace(db, 'eval'));
    if (space === null) {
      store.close();
      return { gate: null, vectorsOf: () => Promise.resolve(), reorder: (_request, ranked) => ranked };
    }
    const packed = store.read((db) => readVectors(db, space.id, 'whole', tools.map(({ definitionFingerprint }) => definitionFingerprint)));
    store.close();
    const centre = space.centre && unpack(space.centre, space.dimension);
    const common = centre && asFloats(centre);
    const fingerprints = new Map(tools.map(({ id, definitionFingerprint }) => [id, definitionFingerprint]));
    const takesPart = (request: string): boolean => (space.gate?.weight ?? 0) > 0 && common !== null && (space.gate!.chinese === true || !/\p{Script=Han}/u.test(request));
    return {
      gate: space.gate,
      vectorsOf: async (requests) => {
        const asked = requests.filter(takesPart).map((request) => request.slice(0, LONGEST_REQUEST));
        for (let at = 0; at < asked.length; at += BATCH) {
          const answer = await this.#ask(asked.slice(at, at + BATCH));
          if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
        }
      },
      reorder: (request, ranked) => {
        const vector = takesPart(request) ? this.#kept.get(keyOf(request.slice(0, LONGEST_REQUEST))) : undefined;
        const question = vector === undefined ? null : unit(without(vector, common!));
        if (question === null) return ranked;
        const candidates = ranked.map(({ id, score }) => ({ id, score, definitionFingerprint: fingerprints.get(id)! }));
        const vectorOf = (fingerprint: string) => ((buffer) => (buffer === undefined ? null : unpack(buffer, space.dimension)))(packed.get(fingerprint));
        return rerank(ranked, raisesOf(question, candidates, vectorOf, space.gate!.weight), () => 0);
      },
    };
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

const keyOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
