/** A vector of length 1 at a byte a dimension: 0.4% off at most in a direction, a quarter of the room. */
export interface Packed {
  readonly scale: number;
  readonly values: Int8Array;
}

const HEAD_BYTES = 4;

export const dimensionOf = ({ values }: Packed): number => values.length;

/** Of length 1; null where it has no direction: all zero, or numbers that are none. */
export const unit = (vector: ArrayLike<number>): Float32Array | null => {
  let sum = 0;
  for (let at = 0; at < vector.length; at += 1) sum += vector[at]! * vector[at]!;
  if (!Number.isFinite(sum) || sum < 1e-24) return null;
  const by = 1 / Math.sqrt(sum);
  return Float32Array.from(vector, (value) => value * by);
};

/** Scale, then values: as it is stored. */
export const pack = (vector: Float32Array): Buffer => {
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  const scale = most / 127 || 1;
  const buffer = Buffer.alloc(HEAD_BYTES + vector.length);
  buffer.writeFloatLE(scale);
  for (let at = 0; at < vector.length; at += 1) buffer.writeInt8(Math.round(vector[at]! / scale), HEAD_BYTES + at);
  return buffer;
};

/** Null where it has not this dimension. */
export const unpack = (buffer: Buffer, dimension: number): Packed | null =>
  buffer.length === HEAD_BYTES + dimension ? { scale: buffer.readFloatLE(), values: new Int8Array(buffer.buffer, buffer.byteOffset + HEAD_BYTES, dimension) } : null;

export const likeness = (asked: Float32Array, { scale, values }: Packed): number => {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) sum += asked[at]! * values[at]!;
  return sum * scale;
};

/** What these have in common. */
export const meanOf = (vectors: readonly Float32Array[]): Float32Array => {
  const mean = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (let at = 0; at < mean.length; at += 1) mean[at]! += vector[at]! / vectors.length;
  return mean;
};

/** Without what all requests have in common: a text that is like everything is then like nothing. */
export const without = (vector: Float32Array, common: Float32Array): Float32Array => vector.map((value, at) => value - common[at]!);

export const asFloats = ({ scale, values }: Packed): Float32Array => Float32Array.from(values, (value) => value * scale);
