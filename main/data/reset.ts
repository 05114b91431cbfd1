import { readdirSync } from 'node:fs';
import { accountOf } from '../secrets/keychain.ts';
import type { Store } from '../store/database.ts';
import { SET_ASIDE, asideOf, newReplacement, writeReplacement } from '../store/replacement.ts';
import { listKeyWraps } from '../store/secrets.ts';

/** What belongs to the process that does it: locks, the command's door, and the window's own profile, which it has open. */
const STAYS = /^(instance\.(lock|json)|host\.(json|sock)|replacement\.json(\.tmp)?|browser|electron)$/;
const DATABASE = /^gantry\.db(-wal|-shm)?$/;

/**
 * Writes down that everything leaves; the next opening of the folder does it. `remove`: with it everything that was set aside before, and every copy.
 * Gives the folder that the database is set aside to, or null.
 */
export const planReset = ({ store, dataDir, now, database }: { readonly store: Store; readonly dataDir: string; readonly now: number; readonly database: 'set_aside' | 'remove' }): string | null => {
  const forget = [...store.read(listKeyWraps)].flatMap(([provider, wrap]) => (provider === 'keychain' ? (accountOf(wrap) ?? []) : []));
  const keep = database === 'set_aside';
  const names = readdirSync(dataDir).filter((name) => !STAYS.test(name) && !(keep && (name === SET_ASIDE || name.startsWith('gantry.broken-'))));
  // the log of the database may be there only when it is opened the next time
  const all = [...new Set([...names, 'gantry.db', 'gantry.db-wal', 'gantry.db-shm', 'logs', 'window.json'])];
  const outgoing = all.map((name) => ({ name, to: keep && DATABASE.test(name) ? ('aside' as const) : ('trash' as const) }));
  const replacement = newReplacement(dataDir, now, { kind: 'reset', incoming: [], outgoing, forget, stripSecrets: keep });
  writeReplacement(dataDir, replacement);
  return keep ? asideOf(dataDir, replacement.aside) : null;
};
