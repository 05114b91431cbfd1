import { createHmac } from 'node:crypto';
import { parseCapabilityId } from '../../shared/capability-id.ts';
import type { Invocation } from '../../shared/call.ts';
import { USER } from '../../shared/principal.ts';
import type { Bus } from '../bus.ts';
import { HOST } from '../calls/host-tools/host-tools.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/database.ts';
import { getInvocation } from '../store/invocations.ts';
import { getRun } from '../store/runs.ts';
import { addChoice, choicesOfWord, clearChoices, countChoices, makeChoiceKey, readChoiceKey } from '../store/tool-choices.ts';
import { requestWords } from './selection/request-words.ts';

const HALF_LIFE_MS = 60 * 86_400_000;
/** So many words of a request are remembered and asked about. */
const MOST_WORDS = 24;
/** Choices that would be needed on the other side, before a count says anything: one call is a hint, five are a habit. */
const DOUBT = 2;
const HASH_BYTES = 8;
/** Calls whose end was counted, for the bus may tell it again. */
const MOST_SEEN = 1_000;
/** Ended calls are looked at together, when none of them waits for the store any more. */
const LEARN_AFTER_MS = 250;

export interface LearnedChoicesDeps {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
}

const fade = (ms: number): number => 2 ** (-ms / HALF_LIFE_MS);

/** What a call's end says of its tool: done, or denied by a person. A rule's no and a failure of the server say nothing of what was wanted. */
const verdictOf = ({ class: outcome, fault }: Pick<Invocation, 'class' | 'fault'>): boolean | null => {
  if (outcome === 'ok' || outcome === 'ok_empty' || outcome === 'stored') return true;
  return fault?.code === 'denied' && fault.details?.['by'] !== 'rule' ? false : null;
};

/**
 * Learns which tool is meant by which words, from calls of the agent and of the guided planner: on this machine, by the definition's fingerprint, the words
 * as keyed hashes. An agent is told by its own calls and by the person's, never by those of another agent.
 */
export class LearnedChoices {
  readonly #deps: LearnedChoicesDeps;
  readonly #seen = new Set<string>();
  readonly #waiting: Invocation[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #stopListening: () => void;

  constructor(deps: LearnedChoicesDeps) {
    this.#deps = deps;
    this.#stopListening = deps.bus.on('invocation:changed', ({ invocation }) => {
      if (invocation.endedAt === null || verdictOf(invocation) === null || this.#seen.has(invocation.id)) return;
      if (this.#seen.size >= MOST_SEEN) this.#seen.clear();
      this.#seen.add(invocation.id);
      this.#waiting.push(invocation);
      this.#timer ??= setTimeout(() => this.#catchUp(), LEARN_AFTER_MS).unref();
    });
  }

  #catchUp(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const invocation of this.#waiting.splice(0)) {
      try {
        this.#learn(invocation);
      } catch (error) {
        this.#deps.log.warn('a call was not counted for the ranking of tools', { invocationId: invocation.id, error: String(error) });
      }
    }
  }

  #learn(invocation: Invocation): void {
    const { store, clock } = this.#deps;
    const { principal, runId, capabilityId } = invocation;
    const accepted = verdictOf(invocation);
    const { serverId, kind } = parseCapabilityId(capabilityId) ?? {};
    if (accepted === null || kind !== 'tool' || serverId === HOST) return;
    const run = store.read((db) => getRun(db, runId));
    const definitionFingerprint = store.read((db) => getInvocation(db, invocation.id))?.definitionFingerprint;
    if (run === null || (run.kind !== 'agent' && run.kind !== 'guided') || !definitionFingerprint) return;
    store.write((db) => {
      const words = hashed(run.title, makeChoiceKey(db));
      if (words.length > 0) addChoice(db, { principal, definitionFingerprint, words, accepted, at: clock.now() }, fade);
    });
  }

  /** What is known of these words, by definition: -1 (denied) to 1 (wanted). Nothing is known of most. */
  opinion(request: string, principal: string): (definitionFingerprint: string) => number {
    this.#catchUp();
    const { store, clock } = this.#deps;
    const now = clock.now();
    const sums = store.read((db) => {
      const key = readChoiceKey(db);
      const words = key === null ? [] : hashed(request, key);
      const found = new Map<string, number>();
      for (const word of words) {
        const ofWord = new Map<string, { accepted: number; refused: number }>();
        for (const { definitionFingerprint, at, ...counts } of choicesOfWord(db, word, [...new Set([principal, USER])])) {
          const before = ofWord.get(definitionFingerprint) ?? { accepted: 0, refused: 0 };
          const left = fade(Math.max(0, now - at));
          ofWord.set(definitionFingerprint, { accepted: before.accepted + counts.accepted * left, refused: before.refused + counts.refused * left });
        }
        for (const [fingerprint, { accepted, refused }] of ofWord) found.set(fingerprint, (found.get(fingerprint) ?? 0) + (accepted - refused) / (accepted + refused + DOUBT) / words.length);
      }
      return found;
    });
    return (fingerprint) => sums.get(fingerprint) ?? 0;
  }

  counts(): { readonly accepted: number; readonly refused: number } {
    this.#catchUp();
    return this.#deps.store.read(countChoices);
  }

  clear(): void {
    this.#catchUp();
    this.#deps.store.write(clearChoices);
  }

  close(): void {
    this.#stopListening();
    this.#catchUp();
  }
}

const hashed = (text: string, key: Buffer): readonly Buffer[] => [...requestWords(text).keys()].slice(0, MOST_WORDS).map((word) => createHmac('sha256', key).update(word).digest().subarray(0, HASH_BYTES));
