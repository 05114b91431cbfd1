import { readFileSync, readdirSync } from 'node:fs';

/** Pids of live processes whose environment or command line holds the text (Linux). A child of a host carries its data folder in its home or token. */
export const processesWith = (text: string): number[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    const read = (file: string): string => {
      try {
        return readFileSync(`/proc/${name}/${file}`, 'latin1');
      } catch {
        return '';
      }
    };
    if (/^State:\s+Z/m.test(read('status'))) return [];
    return read('environ').includes(text) || read('cmdline').includes(text) ? [Number(name)] : [];
  });

/** Waits until the condition holds, or fails saying what did not. */
export const until = async (what: string, condition: () => boolean | Promise<boolean>, timeoutMs = 90_000): Promise<void> => {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`did not happen within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
