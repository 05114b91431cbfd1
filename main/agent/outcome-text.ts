import type { CallResult, ResultClass } from '../../shared/call.ts';
import { parseCapabilityId } from '../../shared/capability-id.ts';
import type { Outcome } from '../calls/call-outcome.ts';
import type { Selection } from '../calls/select-part.ts';
import type { RouteProfile } from '../capabilities/routes/route-profile.ts';
import { shownLine } from './shown-line.ts';
import { SOURCE_REMEDY, sourceWords } from './source-words.ts';
import { toldMedia, type AttachedMedium, type MediumWord } from './told-media.ts';

/** What decides how an outcome is told to a model, beside the outcome itself. */
export interface TellingTerms {
  readonly takes: RouteProfile['toolResults'];
  /** base64 bytes that the request may still carry */
  readonly mediaLeftBytes: number;
  /** the model-visible name of the tool that reads parts of a stored result */
  readonly readTool: string;
  /** the errors of this server are told by their category alone */
  readonly categoryOnly: boolean;
  /** words of an error without the values of this server's own configuration (AC07) */
  readonly conceal?: ((text: string) => string) | undefined;
  /** model-visible names of other tools of this request that do the same, by name or reviewed purpose, where calling one cannot do a thing twice */
  readonly alternatives: readonly string[];
  /** the label under which this result may be cited, and whether it gives grounding */
  readonly cite?: { readonly label: string; readonly grounded: boolean } | undefined;
  /** why it is told later than it ended, where it is */
  readonly late?: string;
  /** what was called; null where the name is of no capability */
  readonly capabilityId: string | null;
}

/** What the model receives of one call. */
export interface ToldOutcome {
  readonly text: string;
  /** marked as an error where the protocol has a mark */
  readonly isError: boolean;
  readonly attached: readonly AttachedMedium[];
  readonly media: readonly MediumWord[];
  /** less is shown than is stored */
  readonly isShortened: boolean;
}

const FACTS: Partial<Readonly<Record<ResultClass, string>>> = {
  ok_empty: 'No records: the result is valid and empty. This is not an error.',
  stored: 'The result is larger than fits here. What is shown is shortened; the whole is stored and its parts can be read.',
  pending: 'Not done: the server goes on with it. Nothing is known of its outcome yet; ask the server for it by the ids given.',
  suspect_success: 'The server reports success, but its words read as a failure. Do not take it as done; it may not be cited.',
};
const NOT_CITED: ReadonlySet<string> = new Set(['pending', 'suspect_success', 'invalid_result']);
/** Whose words these are stands before them: an error speaks to whoever reads it. */
const UNTRUSTED = 'The server says (untrusted):\n';
const LEFT_OUT = 'characters that a reader does not see were left out';
/** Failures of the source, after which another one may serve; what a person or the contract refused is not asked for elsewhere. */
const ELSEWHERE: ReadonlySet<string> = new Set(['tool_error', 'protocol_error', 'invalid_result', 'too_large', 'unavailable', 'timeout']);
const MOST_ALTERNATIVES = 3;
const MOST_NOTES = 10;
const MOST_SHORTENED = 12;
const LONGEST_CLAIM = 80;
/** A pointer that is longer is marked in place only: a server may name a member with a megabyte. */
const LONGEST_PART = 500;

/** A fault's sentence in the host's words alone: what a server said stands apart, marked as such. */
const hostWords = ({ code, message }: { readonly code: string; readonly message: string }, details: Readonly<Record<string, unknown>>): string => {
  const { serverWords: words, redirect } = details;
  // an address that a server named is for a person alone
  if (typeof redirect === 'string' && redirect !== '') return message.replaceAll(redirect, 'another address');
  if (typeof words !== 'string' || words === '') return message;
  if (details['rpcCode'] !== undefined) return `${message.split(` (${String(details['rpcCode'])}:`)[0]} (${String(details['rpcCode'])})`;
  // of an answer that was none (an HTTP error) the sentence is the host's own
  return code === 'tool_error' ? 'The tool reported an error.' : message;
};

const REPEAT_WORDS = 'Nothing was sent now: the same call was made before in this run, and this is its first result. Only if it has to happen once more, ask the person to have it sent again as a new call.';

/** Which server of this machine answered, and what it calls itself. */
const sourceOf = (capabilityId: string, result: CallResult | undefined): Readonly<Record<string, string>> => {
  const server = parseCapabilityId(capabilityId)?.serverId ?? '';
  const claims = result === undefined ? {} : { serverName: result.source.serverName.slice(0, LONGEST_CLAIM), serverVersion: result.source.serverVersion.slice(0, LONGEST_CLAIM) };
  return { server, capability: capabilityId, ...claims };
};

/** What became of `select` of the host's field, with a code; the answer is never less than what was asked for. */
const selectionWords = (selection: Selection): Readonly<Record<string, unknown>> => {
  const { state, select } = selection;
  switch (state) {
    case 'given':
      return { code: 'selected', part: `/structuredContent${select}`, fact: 'Only this part is given, as asked; the whole is stored.' };
    case 'leads_nowhere':
      return { code: 'select_leads_nowhere', select, missing: selection.missing, has: selection.names, fact: 'The structured content has no such part; the answer is given as without it.' };
    case 'no_structure':
      return { code: 'select_no_structure', select, fact: 'The tool gave no structured content; the answer is given as without it.' };
    case 'not_at_hand':
      return { code: 'select_not_at_hand', select, fact: 'Of a large first result only the beginning is at hand; it is given as without it. Read the part from the stored result.' };
    case 'not_applied':
      return { code: 'select_not_applied', select, fact: 'A part cannot stand for an answer of this class; it is given as without it.' };
  }
};

/** Class and facts first, the server's words after, marked as such (design section 5). Never a guess; everything of a server stands inside JSON. */
export const toldOutcome = (outcome: Outcome, terms: TellingTerms): ToldOutcome => {
  const { result, fitted, fault } = outcome;
  const isError = outcome.state === 'failed';
  const { conceal = (text: string) => text } = terms;
  const details = fault?.details ?? {};
  const hasWords = typeof details['serverWords'] === 'string';
  const head: Record<string, unknown> = { class: outcome.class ?? outcome.state };
  if (terms.cite !== undefined) head['label'] = terms.cite.label;
  if (outcome.code) head['code'] = outcome.code;
  const ofSource = fault ? sourceWords(fault) : null;
  const fact = ofSource ?? (fault ? hostWords(fault, details) : FACTS[outcome.class ?? 'ok']);
  if (fact !== undefined) head['fact'] = outcome.class === 'unavailable' && !fact.includes('not called') ? `${fact} The tool was not called.` : fact;
  if (terms.late !== undefined) head['late'] = terms.late;
  if (fault?.field && ofSource === null) head['field'] = fault.field;
  const remedy = ofSource === null ? fault?.remedy : SOURCE_REMEDY;
  if (remedy) head['remedy'] = remedy;
  if (outcome.repeatOf) head['repeat'] = REPEAT_WORDS;
  if (details['category'] !== undefined) head['category'] = details['category'];
  if (isError) {
    head['retryable'] = details['retryable'] === true;
    head['mayHaveRun'] = details['mayHaveRun'] === true;
    if (ELSEWHERE.has(outcome.class ?? '') && terms.alternatives.length > 0) head['alternatives'] = terms.alternatives.slice(0, MOST_ALTERNATIVES);
  }
  if (terms.capabilityId !== null) head['source'] = sourceOf(terms.capabilityId, result);
  if (result && (terms.cite?.grounded === false || NOT_CITED.has(outcome.class ?? '') || (result.exactNumbers?.length ?? 0) > 0)) head['citable'] = false;
  if (result?.notes !== undefined && result.notes.length > 0) head['notes'] = result.notes.slice(0, MOST_NOTES);
  if (result !== undefined && result.masked.length > 0) head['masked'] = `${result.masked.reduce((sum, one) => sum + one.count, 0)} secret values were masked`;
  if (terms.categoryOnly && (hasWords || result?.isError === true)) {
    head['words'] = "kept from models by this server's setting";
    return told({ head, body: '', hidden: false, isError, media: NO_MEDIA, isShortened: false });
  }
  if (!result || !fitted) {
    const words = hasWords && String(details['serverWords']) !== '' ? shownLine({ error: conceal(String(details['serverWords'])) }) : null;
    return told({ head, body: words === null ? '' : `${UNTRUSTED}${words.text}`, hidden: words?.hidden === true, isError, media: NO_MEDIA, isShortened: false });
  }
  const media = toldMedia(fitted.media, { takes: terms.takes, leftBytes: terms.mediaLeftBytes, isError });
  if (media.words.length > 0) head['media'] = media.words;
  if (media.untold > 0) head['moreMedia'] = media.untold;
  if (fitted.selection) head['select'] = selectionWords(fitted.selection);
  const isShortened = fitted.shortened.length > 0;
  if (isShortened) {
    const listed = fitted.shortened.filter(({ part }) => part.length <= LONGEST_PART).slice(0, MOST_SHORTENED);
    head['stored'] = {
      result: outcome.invocationId, sizeBytes: result.sizeBytes, shape: fitted.outline,
      shortened: listed, ...(fitted.shortened.length > listed.length ? { moreShortened: fitted.shortened.length - listed.length } : {}),
      read: `Call ${terms.readTool} with {"result":"${outcome.invocationId}","part":<one of the parts>,"offset":<first, from 0>,"limit":<how many>}.`,
    };
  }
  const marked = isError || outcome.class === 'suspect_success';
  return told({ head, body: `${marked ? UNTRUSTED : ''}${result.isError ? conceal(fitted.body) : fitted.body}`, hidden: fitted.hidden, isError, media, isShortened: isShortened || fitted.selection?.state === 'given' });
};

const NO_MEDIA: ReturnType<typeof toldMedia> = { words: [], untold: 0, attached: [] };

const told = (of: { readonly head: Readonly<Record<string, unknown>>; readonly body: string; readonly hidden: boolean; readonly isError: boolean; readonly media: ReturnType<typeof toldMedia>; readonly isShortened: boolean }): ToldOutcome => {
  const head = shownLine(of.head);
  const text = of.body === '' ? head.text : `${head.text}\n${of.body}`;
  return { text: head.hidden || of.hidden ? `${text}\n(${LEFT_OUT})` : text, isError: of.isError, attached: of.media.attached, media: of.media.words, isShortened: of.isShortened };
};
