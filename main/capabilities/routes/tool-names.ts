import { createHash } from 'node:crypto';
import type { RouteProfile } from './route-profile.ts';

const HASH_LENGTH = 8;

export interface Named {
  readonly id: string;
  readonly serverId: string;
  readonly name: string;
}

const legal = (text: string): string => text.replace(/[^a-zA-Z0-9_-]/g, '_');
const suffix = (id: string): string => createHash('sha256').update(id, 'utf8').digest('hex').slice(0, HASH_LENGTH);

/** Where the server's part ends could be read in two ways: another pair of server and tool may spell the same. */
const isAmbiguous = ({ serverId, name }: Named): boolean => serverId.includes('__') || serverId.endsWith('_') || name.startsWith('_') || name.includes('__');

/**
 * Model-visible names, `<server>__<tool>` in the letters that every provider reads, within the route's length. A hash of the capability id is appended
 * where the name had to be altered or cut, could be read in two ways, or differs from another of `all` by case alone. `all` is what is registered, not what
 * is used: granting, switching off or removing another tool renames nothing. Of two that clash each gets its hash, so that none is "the last that won".
 */
export const modelNames = (all: readonly Named[], { startsWithLetter, maxLength }: RouteProfile['names']): ReadonlyMap<string, string> => {
  const wanted = all.map((c) => {
    const plain = `${c.serverId}__${c.name}`;
    const safe = legal(plain);
    const led = startsWithLetter && !/^[a-zA-Z]/.test(safe) ? `t_${safe}` : safe;
    return { id: c.id, safe: led, altered: led !== plain || led.length > maxLength || isAmbiguous(c) };
  });
  const seen = new Map<string, number>();
  for (const { safe } of wanted) seen.set(safe.toLowerCase(), (seen.get(safe.toLowerCase()) ?? 0) + 1);
  const hashed = (one: (typeof wanted)[number]): string => `${one.safe.slice(0, maxLength - HASH_LENGTH - 1)}_${suffix(one.id)}`;
  const withHash = new Set(wanted.filter((one) => one.altered || seen.get(one.safe.toLowerCase())! > 1));
  // a tool may be called exactly what another is called with its hash; giving it its own makes a name that may be a third one's
  for (let spelled = new Set([...withHash].map((one) => hashed(one).toLowerCase())); ; spelled = new Set([...withHash].map((one) => hashed(one).toLowerCase()))) {
    const impostors = wanted.filter((one) => !withHash.has(one) && spelled.has(one.safe.toLowerCase()));
    if (impostors.length === 0) break;
    for (const one of impostors) withHash.add(one);
  }
  return new Map(wanted.map((one) => [one.id, withHash.has(one) ? hashed(one) : one.safe]));
};
