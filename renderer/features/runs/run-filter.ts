import type { InputOf } from '../../../shared/contract/contract.ts';
import { RUN_STANDINGS, type RunStanding } from '../../../shared/run-standings.ts';
import type { FilterWords } from '../../stores/list-filters.ts';

/** What the person looks for. Days are local, as `2026-11-30`, both included. */
export interface RunListFilter {
  readonly words: string;
  readonly standing: RunStanding | null;
  readonly serverId: string | null;
  readonly capabilityId: string | null;
  readonly from: string | null;
  readonly to: string | null;
}
export const NO_RUN_FILTER: RunListFilter = { words: '', standing: null, serverId: null, capabilityId: null, from: null, to: null };

const LONGEST_WORDS = 200;
const dayIn = (text: string | null): string | null => (text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && startOfDay(text, 0) !== null ? text : null);

/** Local midnight of a day, or of one `after` it, in ms; null where there is no such day. */
export const startOfDay = (day: string, after: number): number | null => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const at = new Date(year, month - 1, date);
  if (at.getMonth() !== month - 1 || at.getDate() !== date) return null;
  return new Date(year, month - 1, date + after).getTime();
};

/** In an address, `q=invoice&state=failed&server=files&capability=mcp:..&from=2026-11-01&to=2026-11-30`. */
export const RUN_FILTER: FilterWords<RunListFilter> = {
  read: (text) => {
    const fields = new URLSearchParams(text);
    return {
      words: (fields.get('q') ?? '').slice(0, LONGEST_WORDS),
      standing: RUN_STANDINGS.find((one) => one === fields.get('state')) ?? null,
      serverId: fields.get('server') || null,
      capabilityId: fields.get('capability') || null,
      from: dayIn(fields.get('from')),
      to: dayIn(fields.get('to')),
    };
  },
  write: ({ words, standing, serverId, capabilityId, from, to }) => {
    const fields = new URLSearchParams();
    if (words !== '') fields.set('q', words.slice(0, LONGEST_WORDS).toWellFormed());
    for (const [name, value] of [['state', standing], ['server', serverId], ['capability', capabilityId], ['from', from], ['to', to]] as const) if (value !== null) fields.set(name, value);
    return fields.toString();
  },
};

export const isNarrowed = (filter: RunListFilter): boolean => filter.words.trim() !== '' || [filter.standing, filter.serverId, filter.capabilityId, filter.from, filter.to].some((one) => one !== null);

/** As the host is asked. */
export const runQuery = ({ words, standing, serverId, capabilityId, from, to }: RunListFilter): InputOf<'runs:list'> => {
  const start = from === null ? null : startOfDay(from, 0);
  const end = to === null ? null : startOfDay(to, 1);
  return {
    ...(words.trim() === '' ? {} : { words: words.trim() }),
    ...(standing === null ? {} : { standing }),
    ...(serverId === null ? {} : { serverId }),
    ...(capabilityId === null ? {} : { capabilityId }),
    ...(start === null ? {} : { from: start }),
    ...(end === null ? {} : { to: end }),
  };
};
