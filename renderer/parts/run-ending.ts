import type { Run } from '../../shared/run.ts';

/** Codes whose words are of one call; a run of an agent that ends with them has had much sent. */
const OF_RUN: ReadonlySet<string> = new Set(['cancelled', 'interrupted']);

/** Where the words of a run's end stand (`.sentence`, `.remedy`); those of its code where a run is no more than its call. */
export const runEndingKey = ({ kind }: Pick<Run, 'kind'>, code: string): string => (kind === 'agent' && OF_RUN.has(code) ? `parts.run_ending.${code}` : `code.${code}`);
