import { AnswerTooLarge } from './answer-too-large.ts';

/** The whole body of an answer, as it is once decoded; what goes on beyond the cap is not read. Rejects with AnswerTooLarge, or as the stream does. */
export const readCapped = async (response: Response, capBytes: number): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    // leaving the loop ends the stream
    if (size > capBytes) throw new AnswerTooLarge(size);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
