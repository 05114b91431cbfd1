import { fault, type Fault } from '../../../shared/fault.ts';
import { isObject } from '../../../shared/is-object.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { isDeeperThan } from '../../servers/json-depth.ts';
import { unit } from './vector.ts';

export const MOST_DIMENSIONS = 8_192;
/** Of an answer with vectors; parsing what nests by the million holds the host for a second. */
const DEEPEST = 32;

const not = (what: string): Result<never, Fault> => err(fault('embeddings_protocol', `What answered is no answer to a question for embeddings: ${what}.`, { remedy: 'Check the address (often it ends in /v1) and that the model is one for embeddings.', details: { what } }));

/** One vector of length 1 a text, in the order of the texts: by `index` where the answer has it, for not every endpoint keeps the order. Faults: embeddings_protocol, embeddings_unfit. */
export const readAnswer = (bytes: Buffer, count: number): Result<Float32Array[], Fault> => {
  if (isDeeperThan(bytes, DEEPEST)) return not('it nests too deep');
  let answer: unknown;
  try {
    answer = JSON.parse(bytes.toString('utf8'));
  } catch {
    return not('it is no JSON');
  }
  const data = isObject(answer) ? answer['data'] : undefined;
  if (!Array.isArray(data)) return not('it has no list “data”');
  if (data.length !== count) return not(`it has ${data.length} vectors for ${count} texts`);
  const vectors = Array.from({ length: count }, (): Float32Array | undefined => undefined);
  for (const [at, one] of data.entries()) {
    const index: unknown = isObject(one) ? (one['index'] ?? at) : undefined;
    const embedding = isObject(one) ? one['embedding'] : undefined;
    if (!Array.isArray(embedding) || embedding.length === 0 || embedding.length > MOST_DIMENSIONS) return not('a vector is no list of numbers');
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count || vectors[index] !== undefined) return not('its vectors are not numbered as the texts were');
    if (!embedding.every((value) => typeof value === 'number' && Number.isFinite(value))) return err(fault('embeddings_unfit', 'A vector of the model holds something that is no finite number.', { remedy: 'Use another model, or another server for it.', details: { why: 'not_finite' } }));
    const vector = unit(embedding as number[]);
    if (vector === null) return err(fault('embeddings_unfit', 'A vector of the model is zero or without measure.', { remedy: 'Use another model, or another server for it.', details: { why: 'zero' } }));
    vectors[index] = vector;
  }
  const whole = vectors as Float32Array[];
  if (whole.some((vector) => vector.length !== whole[0]!.length)) return not('its vectors are of several dimensions');
  return ok(whole);
};
