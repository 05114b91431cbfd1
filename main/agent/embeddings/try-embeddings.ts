import { EMBEDDINGS_TEST_STEPS, type EmbeddingsTest } from '../../../shared/embeddings.ts';
import type { Fault } from '../../../shared/fault.ts';
import type { Outbound } from '../../network/outbound.ts';
import { askEmbeddings, embeddingsClient, type EmbeddingsEndpoint } from './ask-embeddings.ts';
import { vectorsFault } from './embed-texts.ts';

type Step = (typeof EMBEDDINGS_TEST_STEPS)[number];
export interface TryEmbeddingsDeps {
  readonly outbound: Outbound;
  readonly mask: (text: string) => string;
  /** ms */
  readonly monotonic: () => number;
  /** of the vectors that are kept of this endpoint and model; null: none */
  readonly dimension: number | null;
}

const TEST_MS = 30_000;
const SENTENCES = ['Gantry asks for a vector of this sentence.', 'The weather is fine today.', 'Delete the old files in this folder.', '今天的会议改到下午三点。'] as const;

const REACH: ReadonlySet<string> = new Set(['connection_failed', 'certificate_untrusted', 'proxy_refused', 'address_refused', 'secret_store_locked', 'invalid_request']);
const stepOf = ({ code }: Fault): Step => (REACH.has(code) ? 'reach' : code === 'model_key_refused' ? 'key' : code === 'model_unknown' ? 'model' : code === 'embeddings_unfit' ? 'vectors' : code === 'embeddings_dimension' ? 'same' : 'answer');

const ended = (failedAt: Step | null, why: Fault | null, answer: EmbeddingsTest['answer']): EmbeddingsTest => {
  const at = failedAt === null ? EMBEDDINGS_TEST_STEPS.length : EMBEDDINGS_TEST_STEPS.indexOf(failedAt);
  const shown = why && { code: why.code, message: why.message, field: why.field, remedy: why.remedy, details: why.details };
  return { ok: failedAt === null, steps: EMBEDDINGS_TEST_STEPS.map((step, i) => ({ step, state: i < at ? 'ok' : i === at ? 'failed' : 'not_tried', fault: i === at ? shown : null })), answer };
};

/** Asks once, as tools are embedded, for the vectors of four sentences. Never rejects for what it finds. */
export const tryEmbeddings = async (endpoint: EmbeddingsEndpoint, { outbound, mask, monotonic, dimension }: TryEmbeddingsDeps): Promise<EmbeddingsTest> => {
  const client = embeddingsClient(outbound, endpoint.baseUrl);
  const begun = monotonic();
  const answer = await askEmbeddings(endpoint, SENTENCES, { client, mask, signal: AbortSignal.timeout(TEST_MS) });
  await client.close();
  if (!answer.ok) return ended(stepOf(answer.error), answer.error, null);
  const got = { ms: Math.round(monotonic() - begun), dimension: answer.value[0]!.length };
  const wrong = vectorsFault(SENTENCES, answer.value, dimension ?? endpoint.dimensions, 2);
  return ended(wrong && stepOf(wrong), wrong, got);
};
