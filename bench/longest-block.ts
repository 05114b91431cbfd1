/** The longest time in ms for which this thread did nothing else while `work` ran: the longest gap between two turns of its loop, by the clock `readMs`. */
export const longestBlock = async (work: () => Promise<unknown>, readMs: () => number = () => performance.now()): Promise<number> => {
  let longest = 0;
  let last = readMs();
  let going = true;
  const tick = (): void => {
    const now = readMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (going) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  await new Promise((done) => setImmediate(done));
  going = false;
  return longest;
};

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** By this thread's own processor time: what others do on a shared machine is not in it. */
export const longestTurn = (work: () => Promise<unknown>): Promise<number> => longestBlock(work, processorMs);
