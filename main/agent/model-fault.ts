import { APICallError, InvalidResponseDataError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';
import { fault, type Fault } from '../../shared/fault.ts';
import type { FaultCode } from '../../shared/fault-codes.ts';
import { isTooLarge } from '../network/answer-too-large.ts';
import { takesNoPictures } from './media-refusal.ts';
import { mayPass } from './unreachable.ts';

/** Words of a provider that are kept. */
const LONGEST_WORDS = 2_000;
const LONGEST_TYPE = 200;

const QUOTA = /insufficient[_ ]quota|exceeded your current quota|billing|credit balance|insufficient (?:balance|funds|credit)|payment required|余额|欠费/i;
const UNKNOWN_MODEL = /model[_ ]not[_ ]found|model\b.{0,120}(?:not (?:found|exist|supported|available)|does not exist|unknown|no such)|(?:no such|unknown|invalid) model|try pulling it/is;
const BUSY: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);

/** What a refusal is about, by its status and its words. */
const codeOf = (status: number | null, words: string): FaultCode => {
  if (status === null) return 'model_failed';
  if (status === 402 || (status === 429 && QUOTA.test(words)) || (status === 400 && /credit balance/i.test(words))) return 'model_quota';
  if (status === 401 || status === 403) return 'model_key_refused';
  if (status === 404 || (status === 400 && UNKNOWN_MODEL.test(words))) return 'model_unknown';
  // asked again with the same picture, it would be refused again
  if (BUSY.has(status)) return takesNoPictures(words) ? 'model_failed' : 'model_busy';
  return status >= 200 && status < 300 ? 'model_protocol' : 'model_failed';
};

/** What of a code's causes it is, by its status and its words; the window has words for each under `code.<code>.because`. */
const whyOf = (code: FaultCode, status: number | null, words: string): string | null => {
  if (code === 'model_busy') return status === 429 ? 'rate_limit' : status === 200 ? 'broke_off' : 'overloaded';
  if (code === 'model_unknown') return UNKNOWN_MODEL.test(words) ? 'no_such_model' : status === 404 ? 'no_such_path' : null;
  if (code === 'model_key_refused') return status === 403 ? 'no_right' : null;
  return code === 'model_failed' && status !== null ? 'request_refused' : null;
};

const SENTENCES: Partial<Readonly<Record<FaultCode, (status: number | null) => string>>> = {
  model_key_refused: (status) => `The model's provider refuses the key (${status}).`,
  model_unknown: (status) => `The provider knows no such model, or nothing answers at this path (${status}).`,
  model_quota: (status) => `The account at the model's provider is used up (${status}).`,
  model_busy: (status) => `The model's provider cannot answer now (${status}).`,
  model_protocol: () => "What answered does not speak the provider's protocol.",
};
const REMEDIES: Partial<Readonly<Record<FaultCode, string>>> = {
  model_key_refused: 'Enter a valid key in the model settings.',
  model_unknown: "Check the model's name and the end of the address in the model settings.",
  model_quota: "Look at the provider's billing page, or use another model.",
  model_busy: 'Ask again later, or use another model.',
  model_protocol: 'Check provider and address in the model settings.',
};

const isProtocol = (error: unknown): boolean => JSONParseError.isInstance(error) || TypeValidationError.isInstance(error);

/** `status`: of the answer, where the library kept none; `streamed`: its reply had begun. */
export interface SeenReply {
  readonly status: number | null;
  readonly streamed: boolean;
  /** as the provider asked */
  readonly retryAfterMs?: number | null;
}
const NOTHING_SEEN: SeenReply = { status: null, streamed: false };

/** Errors of a connection come as a TypeError or with a code of the system. */
const isOfTheWire = (error: unknown): boolean => error instanceof TypeError || typeof (error as { code?: unknown } | null)?.code === 'string' || (error instanceof Error && isOfTheWire(error.cause ?? null));

const wordsOf = (error: unknown): string => {
  if (APICallError.isInstance(error) && error.responseBody !== undefined) return error.responseBody;
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : (JSON.stringify(error) ?? String(error));
};

/** A failed model request as a fault; providers quote the key that they refuse, so their words are masked before they are cut. */
export const modelFault = (error: unknown, mask: (text: string) => string, seen: SeenReply = NOTHING_SEEN): Fault => {
  if (isTooLarge(error)) return fault('model_failed', 'The model’s provider answered with more than Gantry reads.', { remedy: 'Check provider and address in the model settings.', details: { status: seen.status, providerSays: '' } });
  const call = APICallError.isInstance(error) ? error : null;
  const status = call?.statusCode ?? seen.status;
  const words = mask(wordsOf(error)).slice(0, LONGEST_WORDS).toWellFormed();
  // what breaks off in the middle of a reply may come whole the next time; an error that a provider sends instead of the rest is read by its words
  // the library wraps what broke a successful answer off
  const inner = call !== null && (call.statusCode ?? 0) < 300 ? call.cause : error;
  const isCutOff = inner !== undefined && seen.status === 200 && !APICallError.isInstance(inner) && !isProtocol(inner) && !InvalidResponseDataError.isInstance(inner) && isOfTheWire(inner);
  const broken: FaultCode | null = !isCutOff && (!seen.streamed || call !== null) ? null : QUOTA.test(words) ? 'model_quota' : 'model_busy';
  const code = isProtocol(inner) ? 'model_protocol' : InvalidResponseDataError.isInstance(error) ? (broken ?? 'model_protocol') : (broken ?? codeOf(status, words));
  const why = whyOf(code, status, words);
  const waitMs = seen.retryAfterMs ?? null;
  const contentType = call?.responseHeaders?.['content-type'];
  return fault(code, SENTENCES[code]?.(status) ?? (status ? `The model's provider answered ${status}.` : 'The model could not be reached.'), {
    remedy: REMEDIES[code] ?? 'Check address, model name and key in the model settings.',
    details: { status, providerSays: words, ...(why === null ? {} : { why }), ...(waitMs === null ? {} : { retryAfterMs: waitMs }), ...(broken === null ? {} : { brokeOff: true }), ...(contentType === undefined ? {} : { contentType: mask(contentType).slice(0, LONGEST_TYPE) }) },
  });
};

/** Whether asking again may help: an overloaded provider, a connection that failed or broke off; not a refusal. */
export const isPassing = ({ code, details }: Fault): boolean => code === 'model_busy' || code === 'connection_failed' || (code === 'model_unreachable' && mayPass(details)) || (code === 'model_failed' && (details?.['status'] ?? null) === null);
