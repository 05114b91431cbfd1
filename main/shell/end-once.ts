/** How long an orderly end may take before the process goes anyway. */
const END_WITHIN_MS = 9_000;

/**
 * Runs `end` once, whatever asks for it: Ctrl-C, SIGTERM, a closed terminal, or the loss of the process that started this one
 * (`disconnect` of its IPC channel). Then exits with 0, or with 1 where `end` did not finish in time.
 */
export const endOnce = (end: () => Promise<void>): ((why: string) => void) => {
  let ending = false;
  const run = (): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), END_WITHIN_MS).unref();
    end().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, run);
  if (process.channel) {
    process.on('disconnect', run);
    process.channel.unref();
  }
  return run;
};
