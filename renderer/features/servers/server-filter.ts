import type { ServerSummary } from '../../../shared/server.ts';
import { fold } from '../../../shared/search/words.ts';
import type { FilterWords } from '../../stores/list-filters.ts';
import { STATE_ORDER } from './server-counts.ts';
import { stateKey, type StateKey } from './server-words.ts';

/** Whether the agent may use tools of a server: some of them, or none. */
export const ACCESSES = ['some', 'none'] as const;
export type Access = (typeof ACCESSES)[number];

export interface ServerFilter {
  readonly words: string;
  readonly state: StateKey | null;
  readonly access: Access | null;
}
export const NO_SERVER_FILTER: ServerFilter = { words: '', state: null, access: null };

const LONGEST_WORDS = 200;

/** In an address, `q=files&state=ready&access=some`. */
export const SERVER_FILTER: FilterWords<ServerFilter> = {
  read: (text) => {
    const fields = new URLSearchParams(text);
    return {
      words: (fields.get('q') ?? '').slice(0, LONGEST_WORDS),
      state: STATE_ORDER.find((one) => one === fields.get('state')) ?? null,
      access: ACCESSES.find((one) => one === fields.get('access')) ?? null,
    };
  },
  write: ({ words, state, access }) => {
    const fields = new URLSearchParams();
    if (words !== '') fields.set('q', words.slice(0, LONGEST_WORDS).toWellFormed());
    if (state !== null) fields.set('state', state);
    if (access !== null) fields.set('access', access);
    return fields.toString();
  },
};

export const isNarrowed = ({ words, state, access }: ServerFilter): boolean => words.trim() !== '' || state !== null || access !== null;

/** Where a server comes from, as it can be looked for. */
const sourceOf = (spec: ServerSummary['spec']): string => {
  switch (spec.kind) {
    case 'builtin':
      return spec.name;
    case 'npm':
      return `npm ${spec.package}`;
    case 'command':
      return [spec.command, ...(spec.args ?? [])].join(' ');
    case 'http':
      return spec.url;
    case 'unreadable':
      return '';
  }
};

/** Those that have every word in name, id or source, in this state and with this access, in their order. */
export const filterServers = (servers: readonly ServerSummary[], { words, state, access }: ServerFilter): readonly ServerSummary[] => {
  const wanted = fold(words).split(/\s+/).filter((word) => word !== '');
  return servers.filter((server) => {
    if (state !== null && stateKey(server) !== state) return false;
    if (access !== null && (server.agentAccess.allowed > 0) !== (access === 'some')) return false;
    if (wanted.length === 0) return true;
    const text = fold(`${server.name} ${server.id} ${sourceOf(server.spec)}`);
    return wanted.every((word) => text.includes(word));
  });
};
