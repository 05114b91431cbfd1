import { setTimeout as pause } from 'node:timers/promises';

export interface StartTurns {
  /** how many start side by side; no more than that start without a pause */
  readonly atOnce: number;
  /** before the first of a crowd: the window that opens with the host is served meanwhile */
  readonly firstAfterMs: number;
  /** one that takes longer gives its place to the next */
  readonly turnMs: number;
}

export const START_TURNS: StartTurns = { atOnce: 4, firstAfterMs: 1_000, turnMs: 3_000 };

/**
 * Starts all in their order, a crowd of them in turns: fifty processes that start in one moment would keep the window waiting for seconds.
 * `quiet` resolves when no window waits for the host any more.
 */
export const startInTurn = async <T>(all: readonly T[], start: (one: T) => Promise<void>, turns: StartTurns = START_TURNS, quiet: () => Promise<void> = async () => {}): Promise<void> => {
  if (all.length > turns.atOnce) {
    await pause(turns.firstAfterMs, undefined, { ref: false });
    await quiet();
  }
  const waiting = all.values();
  const takeTurns = async (): Promise<void> => {
    for (const one of waiting) await Promise.race([start(one), pause(turns.turnMs, undefined, { ref: false })]);
  };
  await Promise.all(Array.from({ length: turns.atOnce }, takeTurns));
};
