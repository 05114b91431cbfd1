import { rmSync } from 'node:fs';
import type { TellProgress } from './data-jobs.ts';

/** Removes files and folders whole, never through a link. Gives those that could not be removed. */
export const removePlaces = (paths: readonly string[], tell: TellProgress): readonly string[] => {
  const stayed: string[] = [];
  for (const [i, path] of paths.entries()) {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    } catch {
      stayed.push(path);
    }
    tell('remove', i + 1, paths.length);
  }
  return stayed;
};
