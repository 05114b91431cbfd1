import type { Question } from '../../shared/question.ts';
import type { Asked } from '../servers/questions/question-port.ts';

export interface OpenedBy {
  readonly id: string;
  readonly serverName: string;
  readonly now: number;
  readonly expiryMs: number;
  readonly text: (text: string) => string;
  /** a copy in which known secrets are masked */
  readonly value: (value: unknown) => unknown;
}

/** A question as it begins. */
export const openQuestion = ({ content, ...of }: Asked, { id, serverName, now, expiryMs, text, value }: OpenedBy): Question => {
  const base = {
    id,
    serverId: of.serverId,
    serverName,
    invocationId: of.call?.invocationId ?? null,
    runId: of.call?.runId ?? null,
    capabilityId: of.call?.capabilityId ?? null,
    round: of.round,
    state: 'waiting' as const,
    askedAt: now,
    expiresAt: now + expiryMs,
    endedAt: null,
    by: null,
    message: text(content.message),
  };
  if (content.kind === 'form') return { ...base, kind: 'form', form: { requestedSchema: { ...content.form.requestedSchema }, fields: [...content.form.fields] } };
  if (content.kind === 'url') return { ...base, kind: 'url', url: { ...content.url, completedAt: null, openedAt: null } };
  const { includeContext, ...request } = value(content.sampling) as typeof content.sampling;
  return { ...base, kind: 'sampling', sampling: { ...request, ...(includeContext === undefined ? {} : { includeContext }), asked: null } };
};
