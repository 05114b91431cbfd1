// Plain JavaScript without packages: runs on Node 20, before anything is installed.

/** So often a step says that it is alive. */
const SAY_EVERY_MS = 10_000;

const length = (/** @type {number} */ ms) => {
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/**
 * Does one step of a start: says its begin, every ten seconds how long it has taken and how far it is, and its end. `countDone` gives that in words.
 * @template T
 * @param {{begins: string, name: string, ends: string, log: (line: string) => void, countDone?: () => string, everyMs?: number}} step
 * @param {() => Promise<T>} work @returns {Promise<T>} what the work gives; one that fails rejects, and its end is not said
 */
export const withProgress = async ({ begins, name, ends, log, countDone = () => '', everyMs = SAY_EVERY_MS }, work) => {
  const begun = performance.now();
  const sinceBegin = () => length(performance.now() - begun);
  log(begins);
  const timer = setInterval(() => log(`${name}: ${countDone()}${sinceBegin()} so far.`), everyMs);
  try {
    const done = await work();
    log(`${ends} (${sinceBegin()})`);
    return done;
  } finally {
    clearInterval(timer);
  }
};
