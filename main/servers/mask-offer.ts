import type { Definition } from '../../shared/capability.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { maskDeep } from './mask-fault.ts';
import type { Session } from './session.ts';

type Mask = (text: string) => string;

/** What a server says of itself, without known secret values: it is kept, shown, and given to a model (A25). */
export const maskSession = (session: Session, mask: Mask): Session => ({
  ...session,
  serverInfo: maskDeep(session.serverInfo, mask) as Session['serverInfo'],
  instructions: session.instructions === undefined ? undefined : mask(session.instructions),
  icons: maskDeep(session.icons, mask),
});

const keysHold = (value: unknown, mask: Mask): boolean =>
  typeof value === 'object' && value !== null && Object.entries(value).some(([key, member]) => mask(key) !== key || keysHold(member, mask));

/** The definition with known secret values masked in its texts. In a name, a URI or a key a mask would make another thing of it: then it is left out, as `holds_a_secret`. */
export const maskDefinition = (definition: Definition, mask: Mask): Result<Definition, string> => {
  const text = JSON.stringify(definition);
  if (mask(text) === text) return ok(definition);
  if (mask(definition.name) !== definition.name || keysHold(definition, mask)) return err('holds_a_secret');
  return ok(maskDeep(definition, mask) as Definition);
};
