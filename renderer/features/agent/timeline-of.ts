import type { Invocation } from '../../../shared/call.ts';
import type { EvidenceEvent } from '../../../shared/run.ts';

/** What happened in a run, in its order, as a conversation shows it. */
export type Moment =
  | { readonly kind: 'said'; readonly seq: number; readonly turn: number; readonly text: string }
  | { readonly kind: 'call'; readonly seq: number; readonly call: Invocation; readonly events: readonly EvidenceEvent[] }
  | { readonly kind: 'failed'; readonly seq: number; readonly turn: number; readonly code: string };

/** `turns`: the rows of replies and failures; `calls`: each with its own rows. The last words are left out where they are the answer, which stands by itself. */
export const timelineOf = (turns: readonly EvidenceEvent[], calls: readonly { readonly call: Invocation; readonly events: readonly EvidenceEvent[] }[], answer: string | null): readonly Moment[] => {
  const said = turns.flatMap(({ type, seq, data }): Moment[] => {
    const turn = Number(data['turn']);
    if (type === 'turn.failed') return [{ kind: 'failed', seq, turn, code: typeof data['code'] === 'string' ? data['code'] : '' }];
    const text = typeof data['text'] === 'string' ? data['text'].trim() : '';
    return type === 'turn.reply' && text !== '' ? [{ kind: 'said', seq, turn, text }] : [];
  });
  const last = said.at(-1);
  const shown = last?.kind === 'said' && answer !== null && last.text === answer.trim() ? said.slice(0, -1) : said;
  const called = calls.map(({ call, events }): Moment => ({ kind: 'call', seq: events[0]?.seq ?? Number.MAX_SAFE_INTEGER, call, events }));
  return [...shown, ...called].sort((a, b) => a.seq - b.seq);
};

/** The last turn of which something is on record; what is heard of a later one is being said now. */
export const lastTurn = (turns: readonly EvidenceEvent[]): number => turns.reduce((most, { type, data }) => (type === 'turn.reply' || type === 'turn.failed' ? Math.max(most, Number(data['turn']) || 0) : most), 0);

/** The last try that failed of the turn that is under way: it is asked again. Null where the first try still runs. */
export const lastRetry = (turns: readonly EvidenceEvent[], after: number): { readonly tries: number; readonly code: string; readonly at: number } | null => {
  const row = turns.findLast(({ type, data }) => type === 'turn.retry' && Number(data['turn']) > after);
  return row === undefined ? null : { tries: Number(row.data['tries']) || 1, code: typeof row.data['code'] === 'string' ? row.data['code'] : '', at: row.at };
};
