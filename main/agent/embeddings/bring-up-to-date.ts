import { createHash } from 'node:crypto';
import type { Fault } from '../../../shared/fault.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Store } from '../../store/database.ts';
import { listVectors, makeSpace, pruneVectors, putVectors, readSpace, readVectors, writeGate, type VectorPart } from '../../store/embedding-vectors.ts';
import type { Choosable } from '../selection/tool-selector.ts';
import { CHINESE_PAIRS, readsChinese } from './chinese-pairs.ts';
import { textOf } from './definition-text.ts';
import { embedTexts, type EmbedTextsDeps, type TextOf } from './embed-texts.ts';
import { isEnough, judge, trialOf, type GateDeps, type Trial } from './gate.ts';
import { pack, unpack, type Packed } from './vector.ts';

export interface SlotProgress {
  readonly done: number;
  readonly of: number;
}
export interface UpToDateDeps extends Pick<EmbedTextsDeps, 'ask' | 'onRetry' | 'pause' | 'signal'> {
  readonly store: Store;
  readonly clock: { readonly now: () => number };
  readonly spaceName: string;
  readonly askedDimension: number | null;
  readonly tools: readonly Choosable[];
  readonly rank: GateDeps['rank'];
  readonly onProgress: (stage: 'indexing' | 'judging', progress: SlotProgress) => void;
}

/** The version of how a model is judged; of another one it is judged anew. */
const GATE_FORM = 1;

const gateOf = ({ tried, others }: Trial): string =>
  createHash('sha256').update(JSON.stringify([GATE_FORM, tried.map(({ tool }) => tool.definitionFingerprint), others.map(({ definitionFingerprint }) => definitionFingerprint)])).digest('hex');

/**
 * A vector for each definition that has none yet, then the model judged where the tools are others than before. Vectors of definitions that are gone go first. What was
 * done before a fault stays. Faults: of the endpoint.
 */
export const bringUpToDate = async (deps: UpToDateDeps): Promise<Result<void, Fault>> => {
  const { store, clock, spaceName, tools, onProgress } = deps;
  const once = [...new Map(tools.map((tool) => [tool.definitionFingerprint, tool])).values()];
  store.write((db) => pruneVectors(db, once.map(({ definitionFingerprint }) => definitionFingerprint)));
  const space = () => store.read((db) => readSpace(db, spaceName));
  const present = (part: VectorPart): ReadonlySet<string> => ((found) => (found === null ? new Set<string>() : store.read((db) => listVectors(db, found.id, part))))(space());
  const embed = (part: VectorPart, texts: readonly TextOf[], onKept: (count: number) => void) =>
    embedTexts(texts, {
      ...deps,
      dimension: () => space()?.dimension ?? deps.askedDimension,
      keep: (vectors) => {
        store.write((db) => {
          const { id } = makeSpace(db, spaceName, vectors[0]![1].length, clock.now());
          putVectors(db, id, part, vectors.map(([key, vector]) => [key, pack(vector)] as const));
        });
        onKept(vectors.length);
      },
    });

  const had = present('whole');
  const missing = once.filter(({ definitionFingerprint }) => !had.has(definitionFingerprint));
  let done = once.length - missing.length;
  onProgress('indexing', { done, of: once.length });
  const embedded = await embed('whole', missing.map(({ definitionFingerprint, definition }) => ({ key: definitionFingerprint, text: () => textOf(definition) })), (count) => {
    done += count;
    onProgress('indexing', { done, of: once.length });
  });
  if (!embedded.ok) return embedded;

  const trial = trialOf(tools);
  const of = gateOf(trial);
  const now = space();
  if (now === null || now.gateOf === of) return ok(undefined);
  onProgress('judging', { done, of: once.length });
  if (isEnough(trial)) {
    for (const part of ['lead', 'rest', 'strange'] as const) {
      const there = present(part);
      const texts = trial.tried.flatMap(({ tool, lead, rest, strange }) => ((text) => (text === null ? [] : [{ key: tool.definitionFingerprint, text: () => text }]))({ lead: textOf(lead.definition), rest, strange }[part]));
      const halves = await embed(part, texts.filter(({ key }) => !there.has(key)), () => undefined);
      if (!halves.ok) return halves;
    }
  }
  const vectorsOf = (part: VectorPart, fingerprints: readonly string[]): ((fingerprint: string) => Packed | null) => {
    const found = store.read((db) => readVectors(db, now.id, part, fingerprints));
    return (fingerprint) => ((buffer) => (buffer === undefined ? null : unpack(buffer, now.dimension)))(found.get(fingerprint));
  };
  const triedIds = trial.tried.map(({ tool }) => tool.definitionFingerprint);
  const { gate, centre } = await judge(trial, { rank: deps.rank, leadOf: vectorsOf('lead', triedIds), restOf: vectorsOf('rest', triedIds), strangeOf: vectorsOf('strange', triedIds), wholeOf: vectorsOf('whole', trial.others.map(({ definitionFingerprint }) => definitionFingerprint)) });
  if (deps.signal.aborted) return ok(undefined);
  const chinese = gate.weight > 0 ? await judgeChinese(deps) : ok(null);
  if (!chinese.ok) return chinese;
  store.write((db) => writeGate(db, now.id, of, { ...gate, chinese: chinese.value }, centre && pack(centre)));
  return ok(undefined);
};

const judgeChinese = async (deps: UpToDateDeps): Promise<Result<boolean, Fault>> => {
  const vectors = new Map<string, Float32Array>();
  const texts = CHINESE_PAIRS.flatMap(([english, chinese]) => [english, chinese]);
  const asked = await embedTexts(texts.map((text) => ({ key: text, text: () => text })), { ...deps, dimension: () => null, keep: (kept) => kept.forEach(([key, vector]) => vectors.set(key, vector)) });
  if (!asked.ok) return asked;
  const pairs = CHINESE_PAIRS.flatMap(([english, chinese]) => (vectors.has(english) && vectors.has(chinese) ? [[vectors.get(english)!, vectors.get(chinese)!] as const] : []));
  return ok(pairs.length === CHINESE_PAIRS.length && readsChinese(pairs.map(([english]) => english), pairs.map(([, chinese]) => chinese)));
};
