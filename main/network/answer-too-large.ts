/** An HTTP answer that goes on beyond what is read. */
export class AnswerTooLarge extends Error {
  readonly sizeBytes: number;
  constructor(sizeBytes: number) {
    super(`The endpoint sent one message of more than ${Math.floor(sizeBytes / 1024 / 1024)} MiB.`);
    this.sizeBytes = sizeBytes;
  }
}

export const isTooLarge = (error: unknown): boolean => {
  for (let e: unknown = error; e instanceof Error; e = e.cause) if (e instanceof AnswerTooLarge) return true;
  return false;
};
