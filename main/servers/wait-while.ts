/** Until this is false or the time is over, looking again after each `step`. */
export const waitWhile = async (isSo: () => boolean, step: () => Promise<void>, limitMs: number): Promise<void> => {
  const over = AbortSignal.timeout(limitMs);
  const end = new Promise<void>((resolve) => over.addEventListener('abort', () => resolve(), { once: true }));
  while (isSo() && !over.aborted) await Promise.race([step(), end]);
};
