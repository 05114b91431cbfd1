import type { ServerSummary } from '../../../shared/server.ts';
import { stateKey, type StateKey } from './server-words.ts';

/** In the order they are told: what works, what is on its way, what waits for the person, what is off, what failed. */
export const STATE_ORDER: readonly StateKey[] = ['ready', 'connecting', 'discovering', 'installing', 'stopping', 'installed', 'consent', 'locked', 'signIn', 'disabled', 'quarantined', 'unavailable'];

/** How many servers are in each state. Each is counted once, under the word its row shows, so the sum is all of them. */
export const countStates = (servers: readonly ServerSummary[]): readonly { readonly state: StateKey; readonly count: number }[] => {
  const keys = servers.map(stateKey);
  return STATE_ORDER.map((state) => ({ state, count: keys.filter((key) => key === state).length })).filter(({ count }) => count > 0);
};
