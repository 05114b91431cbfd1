import { isObject } from '../../../shared/is-object.ts';
import type { WireOutcome } from '../wire-outcome.ts';
import { ASK_LIMITS } from './ask-pace.ts';

/** URLElicitationRequired (2025-11-25): the call was not carried out, and may be sent again once these pages are done with. */
const URL_ELICITATION_REQUIRED = -32042;

/** The parameters of each page's question; null where the answer says something else. */
export const urlsRequired = (outcome: WireOutcome): readonly Readonly<Record<string, unknown>>[] | null => {
  if (outcome.kind !== 'rpc_error' || outcome.rpcCode !== URL_ELICITATION_REQUIRED || !isObject(outcome.data)) return null;
  const { elicitations } = outcome.data;
  if (!Array.isArray(elicitations) || elicitations.length === 0 || elicitations.length > ASK_LIMITS.perRound) return null;
  const pages: unknown[] = elicitations;
  // without an id nothing could say that it is done with
  return pages.every((page): page is Readonly<Record<string, unknown>> => isObject(page) && page['mode'] === 'url' && typeof page['elicitationId'] === 'string') ? pages : null;
};
