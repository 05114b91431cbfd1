import { createHash } from 'node:crypto';
import { setTimeout as pauseFor } from 'node:timers/promises';
import type { EmbeddingsStatus } from '../../../shared/embeddings.ts';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Bus } from '../../bus.ts';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Outbound, OutboundClient } from '../../network/outbound.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { Store } from '../../store/database.ts';
import { readEmbeddings, type EmbeddingsRow } from '../../store/embeddings.ts';
import { deleteSpace, readSpace, readVectors, type VectorSpace } from '../../store/embedding-vectors.ts';
import type { SemanticAnswer, SemanticQuestion, SemanticStage } from '../selection/semantic-match.ts';
import type { Choosable } from '../selection/tool-selector.ts';
import { askEmbeddings, embeddingsClient, mayPass, type EmbeddingsEndpoint } from './ask-embeddings.ts';
import { TEXT_FORM } from './definition-text.ts';
import { bringUpToDate, type SlotProgress, type UpToDateDeps } from './bring-up-to-date.ts';
import { MOST_COMPARED, raisesOf } from './raises.ts';
import { RequestVectors } from './request-vectors.ts';
import { asFloats, unit, unpack, without, type Packed } from './vector.ts';

export interface EmbeddingSlotDeps {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: Pick<Secrets, 'reveal'>;
  readonly outbound: Outbound;
  /** hides known secret values */
  readonly mask: (text: string) => string;
  /** every tool that is known, with what its server is called */
  readonly tools: () => readonly Choosable[];
  /** by words, over these tools alone */
  readonly rankIn: () => UpToDateDeps['rank'];
  /** resolves when nobody has asked the host for anything for a while */
  readonly quiet: () => Promise<void>;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const BATCH_MS = 60_000;
const REQUEST_MOST_MS = 10_000;
const LONGEST_REQUEST = 2_000;
const TELL_MS = 250;
const AGAIN_MS = [30_000, 120_000, 600_000, 1_800_000] as const;

/** Where vectors can be compared: of another model, address, dimension asked for or form of text they are of another space. */
export const spaceName = ({ baseUrl, model, dimensions }: Pick<EmbeddingsRow, 'baseUrl' | 'model' | 'dimensions'>): string => createHash('sha256').update(JSON.stringify([baseUrl.replace(/\/+$/, ''), model, dimensions, TEXT_FORM])).digest('hex');

const sleep = (ms: number, signal: AbortSignal): Promise<void> => pauseFor(ms, undefined, { signal, ref: false }).catch(() => undefined);

const aborted = (signal: AbortSignal): Promise<void> => new Promise((done) => (signal.aborted ? done() : signal.addEventListener('abort', () => done(), { once: true })));

type Standing = { readonly state: 'none' | 'off' | 'waiting' | 'indexing' | 'judging' | 'judged' } | { readonly state: 'failed'; readonly fault: Fault; readonly againAt: number | null };
const NOTHING: SlotProgress = { done: 0, of: 0 };

/**
 * The one embeddings endpoint: keeps a vector of each tool's definition, judges on the person's own tools whether the model helps, and moves tools in a ranking only where it
 * does. Works in the background, a batch at a time; what was computed outlives a restart.
 */
export class EmbeddingSlot {
  readonly #deps: EmbeddingSlotDeps;
  readonly #stopListening: readonly (() => void)[];
  #standing: Standing = { state: 'none' };
  #progress = NOTHING;
  readonly #counts = { requests: 0, retries: 0, texts: 0 };
  #ending = new AbortController();
  #client: OutboundClient | null = null;
  #requests: RequestVectors | null = null;
  #space: (VectorSpace & { readonly centreVector: Float32Array | null }) | null = null;
  #work: Promise<void> = Promise.resolve();
  #isDue = false;
  #failures = 0;
  #againTimer: NodeJS.Timeout | undefined;
  #tellTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(deps: EmbeddingSlotDeps) {
    this.#deps = deps;
    this.#stopListening = (['capabilities:changed', 'server:removed'] as const).map((name) => deps.bus.on(name, () => this.#due()));
    this.changed();
  }

  /** The endpoint is another one, or on or off: what is under way ends, and all is looked at anew. */
  changed(): void {
    this.#leave();
    const row = this.#row();
    this.#failures = 0;
    this.#progress = NOTHING;
    this.#readSpace(row);
    this.#set(row === null ? { state: 'none' } : row.enabled ? { state: 'waiting' } : { state: 'off' });
    this.#due();
  }

  /** The kept vectors of the present endpoint do not fit what it gives now: computed anew. */
  forgetUnfit(): void {
    const row = this.#row();
    if (row !== null && this.#standing.state === 'failed' && this.#standing.fault.code === 'embeddings_dimension') this.#deps.store.write((db) => deleteSpace(db, spaceName(row)));
  }

  status(): EmbeddingsStatus {
    const { state } = this.#standing;
    const gate = this.#space?.gate ?? null;
    const failed = this.#standing.state === 'failed' ? this.#standing : null;
    return {
      state: state === 'judged' ? (gate === null || gate.weight > 0 ? 'on' : 'gated') : state,
      ...this.#progress,
      dimension: this.#space?.dimension ?? null,
      gate: state === 'none' ? null : gate,
      fault: failed === null ? null : { code: failed.fault.code, message: failed.fault.message, remedy: failed.fault.remedy, details: failed.fault.details },
      againAt: failed?.againAt ?? null,
      ...this.#counts,
    };
  }

  /** Reasons: off, not_ready, gated, language (it reads no Chinese), deadline, paused, fault. */
  readonly match: SemanticStage = async ({ request, candidates }: SemanticQuestion): Promise<SemanticAnswer> => {
    const none = (reason: string): SemanticAnswer => ({ tookPart: false, reason });
    const standing = this.#standing;
    const space = this.#space;
    if (standing.state === 'none' || standing.state === 'off') return none('off');
    if (space?.gate == null || this.#requests === null) return none(standing.state === 'failed' ? `fault: ${standing.fault.code}` : 'not_ready');
    const { weight, chinese } = space.gate;
    if (weight === 0 || space.centreVector === null) return none(`gated: ${space.gate.why ?? ''}`);
    const text = request.slice(0, LONGEST_REQUEST).toWellFormed();
    if (chinese !== true && /\p{Script=Han}/u.test(text)) return none('language');
    const asked = await this.#requests.of(text);
    if ('reason' in asked) return none(asked.reason);
    const question = asked.vector.length === space.dimension ? unit(without(asked.vector, space.centreVector)) : null;
    if (question === null) return none('fault: embeddings_dimension');
    const compared = candidates.slice(0, MOST_COMPARED);
    const vectors = this.#vectors(space, compared.map(({ definitionFingerprint }) => definitionFingerprint));
    return { tookPart: true, adjustments: raisesOf(question, compared, (fingerprint) => vectors.get(fingerprint) ?? null, weight) };
  };

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stopListening) stop();
    clearTimeout(this.#tellTimer);
    this.#leave();
    await this.#work;
  }

  #row(): EmbeddingsRow | null {
    return this.#deps.store.read(readEmbeddings);
  }

  #vectors(space: VectorSpace, fingerprints: readonly string[]): ReadonlyMap<string, Packed> {
    const found = this.#deps.store.read((db) => readVectors(db, space.id, 'whole', fingerprints));
    return new Map([...found].flatMap(([fingerprint, buffer]) => ((vector) => (vector === null ? [] : [[fingerprint, vector] as const]))(unpack(buffer, space.dimension))));
  }

  #readSpace(row: EmbeddingsRow | null): void {
    const space = row === null ? null : this.#deps.store.read((db) => readSpace(db, spaceName(row)));
    const centre = space?.centre ? unpack(space.centre, space.dimension) : null;
    this.#space = space && { ...space, centreVector: centre && asFloats(centre) };
  }

  #set(standing: Standing): void {
    this.#standing = standing;
    this.#tell();
  }

  #tell(): void {
    if (this.#closed) return;
    this.#tellTimer ??= setTimeout(() => {
      this.#tellTimer = undefined;
      this.#deps.bus.emit('embeddings:changed', {});
    }, TELL_MS).unref();
  }

  /** Ends what is asked for now. */
  #leave(): void {
    clearTimeout(this.#againTimer);
    this.#ending.abort();
    this.#ending = new AbortController();
    void this.#client?.close();
    this.#client = null;
    this.#requests = null;
  }

  /** Looks at the tools when it is quiet; once more where something changed meanwhile. */
  #due(): void {
    if (this.#closed || this.#isDue || this.#standing.state === 'none' || this.#standing.state === 'off') return;
    this.#isDue = true;
    const { signal } = this.#ending;
    this.#work = this.#work.then(async () => {
      await Promise.race([this.#deps.quiet(), aborted(signal)]);
      this.#isDue = false;
      if (!signal.aborted) await this.#bringUpToDate(signal);
      else if (signal !== this.#ending.signal) this.#due();
    });
  }

  async #bringUpToDate(signal: AbortSignal): Promise<void> {
    const row = this.#row();
    if (row === null || !row.enabled) return;
    const { store, clock, tools, rankIn, pause = sleep, log } = this.#deps;
    const endpoint = this.#endpoint(row);
    const done = endpoint.ok
      ? await bringUpToDate({
          store, signal, pause, clock, tools: tools(), spaceName: spaceName(row), askedDimension: row.dimensions, rank: rankIn(),
          ask: (texts) => this.#ask(endpoint.value, texts, BATCH_MS, signal),
          onRetry: () => { this.#counts.retries += 1; },
          onProgress: (stage, progress) => {
            this.#progress = progress;
            this.#set({ state: stage });
          },
        }).catch((error: unknown) => {
          log.error('vectors of tools could not be brought up to date', { error: String(error) });
          return err(fault('internal', 'The vectors could not be brought up to date.'));
        })
      : endpoint;
    if (signal.aborted) return;
    this.#readSpace(row);
    if (done.ok) {
      this.#failures = 0;
      if (endpoint.ok) this.#requests ??= this.#requestVectors(endpoint.value, signal);
      return this.#set({ state: 'judged' });
    }
    if (this.#space?.gate && endpoint.ok) this.#requests ??= this.#requestVectors(endpoint.value, signal);
    const inMs = mayPass(done.error) ? AGAIN_MS[Math.min(this.#failures, AGAIN_MS.length - 1)]! : null;
    this.#failures += 1;
    this.#set({ state: 'failed', fault: done.error, againAt: inMs === null ? null : clock.now() + inMs });
    if (inMs !== null) this.#againTimer = setTimeout(() => this.#due(), inMs).unref();
  }

  #endpoint({ baseUrl, model, dimensions, keyRef }: EmbeddingsRow): Result<EmbeddingsEndpoint, Fault> {
    const key = keyRef === null ? ok(null) : this.#deps.secrets.reveal(keyRef);
    return key.ok ? ok({ baseUrl, model, dimensions, key: key.value }) : key;
  }

  #requestVectors(endpoint: EmbeddingsEndpoint, signal: AbortSignal): RequestVectors {
    return new RequestVectors({
      monotonic: () => this.#deps.clock.monotonic(),
      ask: async (text) => {
        const answer = await this.#ask(endpoint, [text], REQUEST_MOST_MS, signal);
        return answer.ok ? ok(answer.value[0]!) : answer;
      },
    });
  }

  #ask(endpoint: EmbeddingsEndpoint, texts: readonly string[], mostMs: number, signal: AbortSignal): Promise<Result<Float32Array[], Fault>> {
    if (signal.aborted) return Promise.resolve(err(fault('cancelled', 'The endpoint was changed meanwhile.')));
    const { outbound, mask } = this.#deps;
    this.#counts.requests += 1;
    this.#counts.texts += texts.length;
    this.#client ??= embeddingsClient(outbound, endpoint.baseUrl);
    return askEmbeddings(endpoint, texts, { client: this.#client, mask, signal: AbortSignal.any([signal, AbortSignal.timeout(mostMs)]) });
  }
}

