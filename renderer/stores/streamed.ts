/** What a model has said of a turn so far. */
export interface Streamed {
  readonly turn: number;
  readonly attempt: number;
  readonly text: string;
}

/** A later turn, or another attempt at this one, begins its text anew. */
export const withDelta = (before: Streamed | undefined, { turn, attempt, text }: Streamed): Streamed => (before?.turn === turn && before.attempt === attempt ? { turn, attempt, text: before.text + text } : { turn, attempt, text });
