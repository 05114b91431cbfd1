import type { ClientRequest, IncomingMessage } from 'node:http';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { AnswerTooLarge } from './answer-too-large.ts';

const DECODERS: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress as never, zstd: createZstdDecompress as never };

/** Whether the whole of an answer is held in memory by who asked: lists and pages are, files go to the disk as they come and are judged by their hash. */
const isHeldWhole = (answer: IncomingMessage): boolean => answer.headers['content-encoding'] !== undefined || /json|text|xml|yaml/i.test(answer.headers['content-type'] ?? 'text');

/**
 * For libraries that read an answer whole, decode it themselves and know no limit: breaks it off with AnswerTooLarge once it is over the cap in decoded bytes. A packed
 * answer is unpacked a second time for that, and thrown away as it comes.
 */
export const capDecoded = (request: ClientRequest, capBytes: number, counts: (answer: IncomingMessage) => boolean = isHeldWhole): void => {
  request.prependOnceListener('response', (answer: IncomingMessage) => {
    if (!counts(answer)) return;
    let size = 0;
    const count = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > capBytes) answer.destroy(new AnswerTooLarge(size));
    };
    const decoder = DECODERS[answer.headers['content-encoding']?.trim().toLowerCase() ?? '']?.();
    if (decoder === undefined) return void answer.on('data', count);
    decoder.on('data', count);
    // what cannot be unpacked is for who asked to say
    decoder.on('error', () => {});
    // the next piece comes when this one is counted
    answer.on('data', (chunk: Buffer) => {
      answer.pause();
      decoder.write(chunk, () => void answer.resume());
    });
    answer.on('close', () => decoder.destroy());
  });
};
