import { fault, type Fault } from '../../../shared/fault.ts';
import { levelsOf, MOST_LEVELS } from '../../../shared/placeholders.ts';
import type { FoundServer } from './found-server.ts';

/** Far beyond any settings of a person; what is more was made to keep Gantry busy (it is read where everything else waits). */
export const MOST_SERVERS = 500;
const MOST_PIECES = 512;
const MOST_TEXT = 64 * 1024;

const tooLarge = (message: string, field: string, limit: Readonly<Record<string, number>>): Fault =>
  fault('import_too_large', message, { field, remedy: 'Give the part that you want to bring in.', details: limit });

/** `import_too_large` for more servers than one text may hold. */
export const tooManyServers = (count: number): Fault | null => (count > MOST_SERVERS ? tooLarge(`This holds more than ${MOST_SERVERS} servers.`, 'text', { limitServers: MOST_SERVERS }) : null);

/** `import_too_large` for more arguments, variables and headers than one server may have. */
export const tooManyPieces = (pieces: number): Fault | null => (pieces > MOST_PIECES ? tooLarge(`It has ${pieces} arguments, variables and headers.`, 'args', { limitPieces: MOST_PIECES, pieces }) : null);

/** `import_too_large` for a command over more lines, or of more characters, than anybody writes: each line is read with those before it. */
export const tooLongCommand = (lines: number, characters: number): Fault | null => (lines > MOST_PIECES || (lines > 1 && characters > MOST_TEXT) ? tooLarge('One command is longer than any setting is.', 'text', { limitLines: MOST_PIECES, limitCharacters: MOST_TEXT }) : null);

const whyTooLarge = ({ command, args, cwd, url, env, headers }: FoundServer): Fault | null => {
  const many = tooManyPieces(args.length + env.length + headers.length);
  if (many !== null) return many;
  const texts = [command ?? '', ...args, cwd ?? '', url ?? '', ...env.flat(), ...headers.flat()];
  if (texts.some((text) => text.length > MOST_TEXT)) return tooLarge('One of its texts is longer than any setting is.', 'args', { limitCharacters: MOST_TEXT });
  return texts.some((text) => levelsOf(text) > MOST_LEVELS) ? tooLarge('Placeholders stand in one another too deep.', 'args', { limitLevels: MOST_LEVELS }) : null;
};

/** The server as it is, or by its name alone with `import_too_large`: nothing of it is judged then. */
export const bounded = (found: FoundServer): FoundServer => {
  const why = whyTooLarge(found);
  return why === null ? found : { ...found, name: found.name.slice(0, 200), command: null, args: [], cwd: null, url: null, env: [], headers: [], inputs: new Map(), unread: found.unread.slice(0, MOST_PIECES), fault: why };
};
