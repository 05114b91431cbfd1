import { expect, test } from 'vitest';
import { readAnswer } from './read-answer.ts';

const answered = (text: string) => readAnswer(Buffer.from(text), 1);

test('EM01 an answer that nests too deep is not parsed; one with brackets in a text, and one of a few levels, is read', () => {
  for (const text of ['['.repeat(1_000_000), `{"data":${'['.repeat(40)}${']'.repeat(40)}}`]) expect(answered(text)).toMatchObject({ ok: false, error: { code: 'embeddings_protocol', details: { what: 'it nests too deep' } } });
  expect(answered(`{"note":"${'['.repeat(40)}","usage":{"of":[[[1]]]},"data":[{"index":0,"embedding":[3,4]}]}`)).toMatchObject({ ok: true, value: [{ 0: expect.closeTo(0.6), 1: expect.closeTo(0.8) }] });
});
