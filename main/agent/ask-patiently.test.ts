import { expect, test } from 'vitest';
import { fault } from '../../shared/fault.ts';
import type { FaultCode } from '../../shared/fault-codes.ts';
import { err, ok } from '../../shared/result.ts';
import { askPatiently } from './ask-patiently.ts';
import type { ModelFault, ModelReply } from './model-adapter.ts';

const failure = (code: FaultCode, retryAfterMs: number | null = null, status: number | null = 503): ModelFault => ({ ...fault(code, 'no', { details: { status } }), exchange: null, partialText: '', retryAfterMs });
const REPLY = {} as ModelReply;

const tried = async (answers: readonly (ModelFault | null)[], random = 0.5) => {
  const waits: number[] = [];
  let tries = 0;
  const answer = await askPatiently(
    () => {
      const next = answers[Math.min(tries, answers.length - 1)];
      tries += 1;
      return Promise.resolve(next ? err(next) : ok(REPLY));
    },
    { signal: new AbortController().signal, onRetry: () => undefined, random: () => random, pause: (ms) => (waits.push(ms), Promise.resolve()) },
  );
  return { answer, waits, tries };
};

test('AC06 waits grow, with jitter, and end after four tries', async () => {
  expect(await tried([failure('model_busy')])).toMatchObject({ answer: { ok: false, error: { code: 'model_busy', details: { tries: 4 } } }, waits: [1_000, 2_000, 4_000], tries: 4 });
  expect((await tried([failure('model_busy')], 0)).waits).toEqual([750, 1_500, 3_000]);
  expect(await tried([failure('model_failed', null, null), null])).toMatchObject({ answer: { ok: true }, waits: [1_000] });
});

test('AC06 the time that the provider asks for is kept; where it is too long, or it refused, nobody waits', async () => {
  expect(await tried([failure('model_busy', 7_000), null])).toMatchObject({ answer: { ok: true }, waits: [7_000] });
  expect(await tried([failure('model_busy', 3_600_000)])).toMatchObject({ answer: { ok: false }, waits: [], tries: 1 });
  for (const code of ['model_key_refused', 'model_unknown', 'model_quota', 'model_protocol', 'token_limit'] as const) expect(await tried([failure(code)])).toMatchObject({ waits: [], tries: 1 });
});
