import { escapeHidden } from './hidden-characters.ts';

/** How the host writes down who acted (main/requests/handlers.ts), and the key of our words for it. */
const KNOWN: Readonly<Record<string, string>> = { 'person at the window': 'window', 'script (--approvals=script)': 'script', 'gantry command': 'command', Gantry: 'gantry' };

/** Who decided, in the user's language; a name that is not ours is shown as it was written. */
export const decider = (by: string, t: (key: string) => string): string => {
  const key = KNOWN[by];
  return key === undefined ? escapeHidden(by).slice(0, 80) : t(`parts.decider.${key}`);
};
