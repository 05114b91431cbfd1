import { z } from 'zod';
import type { EventQuery } from '../store/events.ts';
import { eventPage } from '../store/events.ts';
import { openRuns } from '../store/runs.ts';
import type { CallParts } from './call-parts.ts';

const Data = z.object({ questionId: z.string(), kind: z.string().optional() });
const OF_QUESTIONS: EventQuery = { types: ['question.asked', 'question.answered', 'question.voided'], offset: 0, limit: 10_000 };

/** What servers asked in the last process, and nobody will answer any more (QA06). On record before the calls end that they belong to. */
export const recoverQuestions = ({ deps: { store }, ledger }: CallParts): void => {
  for (const run of store.read(openRuns)) {
    const waiting = new Map<string, { readonly invocationId: string | null; readonly kind: string | undefined }>();
    for (const { type, invocation_id, data_json } of store.read((db) => eventPage(db, run.id, OF_QUESTIONS)).rows) {
      const data = Data.safeParse(JSON.parse(data_json));
      if (!data.success) continue;
      if (type === 'question.asked') waiting.set(data.data.questionId, { invocationId: invocation_id, kind: data.data.kind });
      else waiting.delete(data.data.questionId);
    }
    if (waiting.size > 0) ledger.note(run.id, [...waiting].map(([questionId, { invocationId, kind }]) => ({ type: 'question.voided', invocationId, data: { questionId, kind, cause: 'restarted' } })));
  }
};
