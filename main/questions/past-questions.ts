import { QuestionSchema, type Question } from '../../shared/question.ts';
import { isObject } from '../../shared/is-object.ts';
import type { AskedRow } from '../store/asked-questions.ts';

const STATES: Readonly<Record<string, Question['state']>> = { accept: 'answered', decline: 'declined', cancel: 'cancelled' };

const endOf = ({ end_type, end_at, ended }: AskedRow) => {
  const state = end_type === 'question.answered' ? STATES[String(ended?.['decision'])] : undefined;
  if (state !== undefined) return { state, by: ended?.['by'] ?? null, endedAt: end_at };
  return { state: 'void', by: 'Gantry', endedAt: end_at, voidReason: ended?.['cause'] ?? 'restarted' };
};

const contentOf = (asked: AskedRow['asked']): object => {
  const list = (name: string): readonly Record<string, unknown>[] => (Array.isArray(asked[name]) ? asked[name].filter(isObject) : []);
  switch (asked['kind']) {
    case 'form':
      return { form: { requestedSchema: {}, fields: list('fields').map((field) => ({ required: false, secretLike: false, choices: [], ...field })) } };
    case 'url':
      return { url: { url: asked['url'], host: asked['host'], elicitationId: null, completedAt: null, thenContinue: false, openedAt: null } };
    default: {
      const tools = Array.isArray(asked['tools']) ? { tools: asked['tools'].map((name) => ({ name, inputSchema: {} })) } : {};
      return { sampling: { messages: [], maxTokens: asked['maxTokens'], ...tools, includeContext: asked['includeContext'], asked: null } };
    }
  }
};

/** A question as its record has it: the words as far as they stand there, fields by name alone, nothing of what a model was to read. Null where the record cannot be read. */
export const pastQuestion = (row: AskedRow, serverName: (serverId: string) => string): Question | null => {
  const { asked } = row;
  const isClear = asked['unclear'] !== true;
  const read = QuestionSchema.safeParse({
    id: asked['questionId'], serverId: asked['serverId'], serverName: serverName(String(asked['serverId'])), invocationId: row.invocation_id, runId: isClear ? row.run_id : null, capabilityId: row.capability_id,
    kind: asked['kind'], round: asked['round'], askedAt: asked['askedAt'], expiresAt: asked['expiresAt'], message: asked['message'], ...endOf(row), ...contentOf(asked),
  });
  return read.success ? read.data : null;
};
