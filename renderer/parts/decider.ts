import { escapeHidden } from './hidden-characters.ts';

/** What the host writes down of who acted: the channel of a person's word (main/requests/handlers.ts), or a cause of its own. Each with the key of our words. */
const KNOWN: Readonly<Record<string, string>> = {
  window: 'window',
  script: 'script',
  command: 'command',
  user: 'user',
  Gantry: 'gantry',
  catalog: 'catalog',
  'update of Gantry': 'update',
  'host:definition_changed': 'definition_changed',
  'host:definition_returned': 'definition_returned',
  'host:server_removed': 'server_removed',
};

/** Who decided, in the user's language; a name that is not ours is shown as it was written. */
export const decider = (by: string, t: (key: string) => string): string => {
  const key = KNOWN[by];
  return key === undefined ? escapeHidden(by).slice(0, 80) : t(`parts.decider.${key}`);
};
