import { setImmediate, setTimeout } from 'node:timers/promises';

/** What a test line does in its own process has been done: it is waited for in turns of the event loop, of which a busy machine gives as many as a quiet one, and not for time. */
export const settle = async (): Promise<void> => {
  await setTimeout(20);
  for (let turn = 0; turn < 60; turn += 1) await setImmediate();
};
