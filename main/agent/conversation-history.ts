import type { LanguageModelV3Message } from '@ai-sdk/provider';
import { knownContextTokens } from '../../shared/known-contexts.ts';
import type { ChosenModel } from './choose-model.ts';
import type { EarlierQuestions, EarlierRun } from './earlier-runs.ts';
import { resultsLeftOut } from './history.ts';

/** What a request does not carry, as its model is told and the run shows. */
export interface LeftOut {
  /** earlier questions that are not there at all */
  readonly questions: number;
  /** results of tools, of earlier questions and of this one */
  readonly results: number;
}

export interface FittedHistory {
  /** without the system's message */
  readonly messages: readonly LanguageModelV3Message[];
  readonly leftOut: LeftOut;
}

/** Bytes that a request has for one token of a context, at the least: of what is written here, texts with few words have three. */
const BYTES_PER_TOKEN = 3;

export const bytesFor = (tokens: number): number => tokens * BYTES_PER_TOKEN;
export const bytesOf = (messages: readonly LanguageModelV3Message[]): number => Buffer.byteLength(JSON.stringify(messages));

const plural = (n: number, one: string, more: string): string => `${n} ${n === 1 ? one : more}`;

/** Null where all is there. */
export const leftOutText = ({ questions, results }: LeftOut): string | null => {
  const parts = [...(questions > 0 ? [plural(questions, 'earlier question with its answer', 'earlier questions with their answers')] : []), ...(results > 0 ? [plural(results, 'earlier tool result', 'earlier tool results')] : [])];
  return parts.length === 0 ? null : `(Gantry: to fit what you can read at once, ${parts.join(' and ')} were left out of this conversation. Do not guess what they held; call the tool again, or ask the person.)`;
};

/**
 * What of a conversation a request carries where it may have so many bytes: first the tool results of the oldest questions go, then the oldest questions, then the oldest
 * results of this one; its last turn stays whole. Null: it does not fit even so.
 */
export const fitHistory = (earlier: readonly EarlierRun[], current: readonly LanguageModelV3Message[], maxBytes: number): FittedHistory | null => {
  const sizes = earlier.map((run) => ({ whole: bytesOf(run.messages), brief: bytesOf(run.brief) }));
  const currentBytes = bytesOf(current);
  let total = sizes.reduce((sum, { whole }) => sum + whole, currentBytes);
  let brief = 0;
  while (total > maxBytes && brief < earlier.length) {
    total -= sizes[brief]!.whole - sizes[brief]!.brief;
    brief += 1;
  }
  let gone = 0;
  while (total > maxBytes && gone < earlier.length) {
    total -= sizes[gone]!.brief;
    gone += 1;
  }
  const kept = earlier.slice(gone).flatMap((run, i) => (gone + i < brief ? run.brief : run.messages));
  const lost = earlier.slice(gone, Math.max(brief, gone)).reduce((sum, run) => sum + run.resultCount, 0);
  if (total <= maxBytes) return { messages: [...kept, ...current], leftOut: { questions: gone, results: lost } };
  const own = resultsLeftOut(current, total - maxBytes);
  return own === null ? null : { messages: [...kept, ...own.messages], leftOut: { questions: gone, results: lost + own.count } };
};

/** Bytes that a request may have, tools and all. `isSet`: by the person; else a default, which leaves out and refuses nothing. */
export interface HistoryRoom {
  readonly bytes: number;
  readonly isSet: boolean;
}

/** Kept for the answer where nobody said how much the model writes. */
const ANSWER_TOKENS = 4_096;

export const roomOf = ({ limits: { contextTokens, maxOutputTokens }, model, routeId }: Pick<ChosenModel, 'limits' | 'model' | 'routeId'>): HistoryRoom => {
  const tokens = contextTokens ?? knownContextTokens(model, routeId);
  return { bytes: bytesFor(Math.max(tokens / 4, tokens - (maxOutputTokens ?? ANSWER_TOKENS))), isSet: contextTokens !== null };
};

/** As `fitHistory`, within a room, `unread` questions being out of sight from the beginning. Where the room is a default, this question goes out whole if it does not fit even alone. */
export const fitInto = (room: HistoryRoom, overhead: number, { runs, unread }: Pick<EarlierQuestions, 'runs' | 'unread'>, current: readonly LanguageModelV3Message[]): FittedHistory | null => {
  // a default may be wrong, and definitions of tools have a budget of their own: something of the conversation stays
  const bytes = room.isSet ? room.bytes - overhead : Math.max(room.bytes - overhead, room.bytes / 4);
  const fitted = fitHistory(runs, current, bytes) ?? (room.isSet ? null : { messages: current, leftOut: { questions: runs.length, results: 0 } });
  return fitted === null ? null : { ...fitted, leftOut: { ...fitted.leftOut, questions: fitted.leftOut.questions + unread } };
};
