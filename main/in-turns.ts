import { setImmediate as others } from 'node:timers/promises';

/** As long does long work go on before others get their turn. */
const TURN_MS = 8;

/** Does work that yields between its slices, and lets others in every 8 ms. */
export const inTurns = async <T>(work: Generator<void, T>): Promise<T> => {
  for (let since = performance.now(); ; ) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - since < TURN_MS) continue;
    await others();
    since = performance.now();
  }
};
