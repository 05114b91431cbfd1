import { fault, type Fault } from '../../shared/fault.ts';
import { isObject } from '../../shared/is-object.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Completion } from '../../shared/resource.ts';
import { rawRequest, type Session } from './session.ts';

export interface CompletionAsked {
  readonly ref: { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** what stands in the other fields */
  readonly others: Readonly<Record<string, string>>;
}

/** 2025-11-25 and 2026-07-28, completion: at most 100 values in an answer. */
const MOST_VALUES = 100;
const LONGEST_VALUE = 1_000;
const TIMEOUT_MS = 5_000;
const METHOD_NOT_FOUND = -32601;
const NOT_OFFERED: Completion = { offered: false, values: [], hasMore: false };

const offersCompletion = (session: Pick<Session, 'capabilities'>): boolean => isObject(session.capabilities['completions']);

/**
 * What the server would put into a field (`completion/complete`): its words, masked, bounded, each once. A value that is longer than the bound is left out: cut, it
 * would be another one. Errors: cancelled (typed on), timeout, protocol_error, and why Gantry did not read the answer (too_large).
 */
export const complete = async (session: Session, { ref, argument, others }: CompletionAsked, mask: (text: string) => string, signal: AbortSignal): Promise<Result<Completion, Fault>> => {
  if (!offersCompletion(session)) return ok(NOT_OFFERED);
  try {
    const context = Object.keys(others).length === 0 ? {} : { context: { arguments: others } };
    const result = await rawRequest(session.client, 'completion/complete', { ref, argument, ...context }, { signal, timeout: TIMEOUT_MS });
    const told = isObject(result) ? result['completion'] : undefined;
    if (!isObject(told) || !Array.isArray(told['values'])) return err(fault('protocol_error', 'The server answered without a list of values.'));
    const fit = told['values'].slice(0, MOST_VALUES).filter((value): value is string => typeof value === 'string' && value.length <= LONGEST_VALUE && value.isWellFormed() && mask(value) === value);
    const values = [...new Set(fit)];
    const { total, hasMore } = told;
    return ok({ offered: true, values, hasMore: hasMore === true || told['values'].length > values.length, ...(typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? { total } : {}) });
  } catch (error) {
    if (signal.aborted) return err(fault('cancelled', 'Something else was typed meanwhile.'));
    const own = session.ledger.faultOf(error);
    if (own !== null) return err(own);
    const { code } = error as { code?: unknown };
    if (code === METHOD_NOT_FOUND) return ok(NOT_OFFERED);
    const words = mask((error instanceof Error ? error.message : String(error)).toWellFormed()).slice(0, 500);
    return err(code === 'REQUEST_TIMEOUT' ? fault('timeout', `The server did not say what fits within ${TIMEOUT_MS / 1000} s.`) : fault('protocol_error', 'The server did not say what fits.', { details: { serverWords: words } }));
  }
};
