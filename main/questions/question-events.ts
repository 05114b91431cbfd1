import type { Question } from '../../shared/question.ts';
import { canonicalText, sha256 } from '../evidence/canonical.ts';
import { wellFormed } from '../evidence/well-formed.ts';

/** A longer message, and a larger answer, stand in the record by their hash alone. */
const WORDS_IN_EVENT = 1_000;
const ANSWER_IN_EVENT_BYTES = 8_192;

const hashOf = (value: unknown): string => sha256(canonicalText(wellFormed(value).value));

/** What was asked, for the record. */
export const askedData = (question: Question): Readonly<Record<string, unknown>> => {
  const { id: questionId, kind, round, serverId, askedAt, expiresAt, message } = question;
  const base = { questionId, kind, round, serverId, askedAt, expiresAt, message: message.slice(0, WORDS_IN_EVENT).toWellFormed(), messageSha256: hashOf(message) };
  if (question.kind === 'form') return { ...base, fields: question.form.fields.map(({ name, type, secretLike }) => ({ name, type, ...(secretLike ? { secretLike } : {}) })), schemaSha256: hashOf(question.form.requestedSchema) };
  if (question.kind === 'url') return { ...base, url: question.url.url, host: question.url.host };
  const { messages, systemPrompt, maxTokens, tools, includeContext } = question.sampling;
  return { ...base, messages: messages.length, requestSha256: hashOf({ messages, systemPrompt: systemPrompt ?? null, tools: tools ?? null }), maxTokens, tools: tools?.map(({ name }) => name), includeContext };
};

/** What was answered, for the record: by its hash, and itself where it is small; never what a field took that looks like a secret. */
export const answerData = (question: Question, answer: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, unknown>> => {
  if (answer === undefined) return {};
  const text = canonicalText(wellFormed(answer).value);
  const hidden = new Set(question.kind === 'form' ? question.form.fields.filter(({ secretLike }) => secretLike).map(({ name }) => name) : []);
  // the hash of a short secret would be a way to guess it
  if (Object.keys(answer).some((name) => hidden.has(name))) return { answerFields: Object.keys(answer), notRecorded: [...hidden] };
  return { answerSha256: sha256(text), answerBytes: Buffer.byteLength(text), ...(Buffer.byteLength(text) <= ANSWER_IN_EVENT_BYTES ? { answer } : {}) };
};
