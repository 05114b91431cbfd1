import { inflateSync } from 'node:zlib';
import { parentPort, workerData } from 'node:worker_threads';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import type { ImageHeader } from './image-header.ts';
import { fitInto, type Pixels } from './scale-pixels.ts';

/** Input: the bytes and what their header says. Output: the icon as PNG. Any throw is an answer too: the picture is not shown. */
export interface IconWorkerInput {
  readonly bytes: Uint8Array;
  readonly header: ImageHeader;
}

const SIDE = 64;
const MEMORY_MB = 64;

/** Data that unpacks to far more than its pixels is a bomb; the decoder itself has no such bound for interlaced pictures. */
const refuseBomb = (bytes: Buffer, { width, height }: ImageHeader): void => {
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  }
  inflateSync(Buffer.concat(parts), { maxOutputLength: (width * 8 + 8) * (height + 8) * 2 });
};

const decode = (bytes: Buffer, header: ImageHeader): Pixels => {
  if (header.kind === 'jpeg') return jpeg.decode(bytes, { useTArray: true, formatAsRGBA: true, maxResolutionInMP: 1.1, maxMemoryUsageInMB: MEMORY_MB });
  refuseBomb(bytes, header);
  return PNG.sync.read(bytes);
};

const { bytes, header } = workerData as IconWorkerInput;
const small = fitInto(SIDE, decode(Buffer.from(bytes), header));
const image = new PNG({ width: small.width, height: small.height });
image.data = Buffer.from(small.data);
parentPort!.postMessage(new Uint8Array(PNG.sync.write(image)));
