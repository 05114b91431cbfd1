import { createHash } from 'node:crypto';

/** What every provider accepts: OpenAI allows 64, Anthropic 128 characters of this alphabet. */
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

interface Named {
  readonly id: string;
  readonly serverId: string;
  readonly name: string;
}

const legal = (text: string): string => text.replace(/[^a-zA-Z0-9_-]/g, '_');
const suffix = (id: string): string => createHash('sha256').update(id, 'utf8').digest('hex').slice(0, HASH_LENGTH);
const withHash = (name: string, id: string): string => `${name.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${suffix(id)}`;

/**
 * Model-visible names, `<server>__<tool>` within [a-zA-Z0-9_-]{1,64}; a hash of the capability id is appended where the name had to be altered, cut,
 * or is wanted by two. A name depends on the whole set only through clashes, and a clash renames all of its members, so that none is "the last one that won".
 */
export const modelNames = (capabilities: readonly Named[]): ReadonlyMap<string, string> => {
  const wanted = capabilities.map((c) => {
    const plain = `${c.serverId}__${c.name}`;
    const safe = legal(plain);
    return { id: c.id, safe, altered: safe !== plain || safe.length > MAX_LENGTH };
  });
  const seen = new Map<string, number>();
  for (const { safe } of wanted) seen.set(safe.toLowerCase(), (seen.get(safe.toLowerCase()) ?? 0) + 1);
  return new Map(wanted.map(({ id, safe, altered }) => [altered || seen.get(safe.toLowerCase())! > 1 ? withHash(safe, id) : safe, id]));
};
