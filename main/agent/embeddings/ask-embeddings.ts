import { fault, type Fault } from '../../../shared/fault.ts';
import { err, type Result } from '../../../shared/result.ts';
import { setByPerson } from '../../network/address-guard.ts';
import { isTooLarge } from '../../network/answer-too-large.ts';
import { networkFault } from '../../network/network-fault.ts';
import type { Outbound, OutboundClient } from '../../network/outbound.ts';
import { readCapped } from '../../network/read-capped.ts';
import { retryAfterMs } from '../../servers/retry-after.ts';
import { modelFault } from '../model-fault.ts';
import { readAnswer } from './read-answer.ts';

export interface EmbeddingsEndpoint {
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string | null;
  readonly dimensions: number | null;
}
export interface AskDeps {
  readonly client: Pick<OutboundClient, 'fetch'>;
  /** hides known secret values, in what goes out and in what came back */
  readonly mask: (text: string) => string;
  readonly signal: AbortSignal;
}

/** Of one answer, decoded: 16 vectors of 8,192 numbers. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Texts in one request: what is parsed on the host's thread stays small, and some endpoints take no more than ten. */
export const BATCH = 16;

/** Connections to one endpoint; whoever opens it closes it. */
export const embeddingsClient = (outbound: Outbound, baseUrl: string): OutboundClient => outbound.client('embeddings', { guard: setByPerson([baseUrl]) });

/**
 * The vectors of some texts, in one request (POST {base}/embeddings). The library's own reader takes vectors in the order in which they come and looks at no `index`, and reads
 * without bound; so the request is made here. Faults: those of networkFault and modelFault, connection_failed, embeddings_protocol, embeddings_unfit; details.status, details.retryAfterMs.
 */
export const askEmbeddings = async ({ baseUrl, model, key, dimensions }: EmbeddingsEndpoint, texts: readonly string[], { client, mask, signal }: AskDeps): Promise<Result<Float32Array[], Fault>> => {
  let status: number | null = null;
  try {
    const body = JSON.stringify({ model, input: texts.map(mask), encoding_format: 'float', ...(dimensions === null ? {} : { dimensions }) });
    const response = await client.fetch(`${baseUrl.replace(/\/+$/, '')}/embeddings`, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) }, body, signal });
    status = response.status;
    const bytes = await readCapped(response, MOST_BYTES);
    if (response.ok) return readAnswer(bytes, texts.length);
    const text = bytes.toString('utf8');
    const refused = modelFault(new Error(text), mask, { status, streamed: false });
    const pauseMs = retryAfterMs(response.headers.get('retry-after'), Date.now());
    return err({ ...refused, details: { ...refused.details, ...(pauseMs === null ? {} : { retryAfterMs: pauseMs }) } });
  } catch (error) {
    const origin = new URL(baseUrl).origin;
    if (isTooLarge(error)) return err(fault('embeddings_protocol', `${origin} answered with more than the vectors that were asked for could be.`, { remedy: 'Check the address and the model.', details: { status, what: 'too_large' } }));
    const cause = (error as { cause?: { code?: unknown } } | null)?.cause?.code;
    return err(
      networkFault(error, origin) ??
        fault('connection_failed', `${origin} could not be reached${signal.aborted ? ' in time' : ''}: ${mask(error instanceof Error ? error.message : String(error)).slice(0, 300)}`, { remedy: 'Check the address, and that the server of the model runs.', details: { status, ...(typeof cause === 'string' ? { cause } : {}) } }),
    );
  }
};

/** Whether asking again may help. */
export const mayPass = ({ code, details }: Fault): boolean => code === 'model_busy' || (code === 'connection_failed' && (details?.['cause'] ?? null) !== 'ENOTFOUND') || (code === 'model_failed' && Number(details?.['status']) >= 500);

/** An endpoint that takes fewer or shorter texts says so with one of these. */
export const wantsLess = ({ details }: Fault): boolean => [400, 413, 422].includes(Number(details?.['status']));
