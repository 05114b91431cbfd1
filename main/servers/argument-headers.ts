import { err, ok, type Result } from '../../shared/result.ts';
import { byPointer, isObject, subschemas } from '../capabilities/schema-graph.ts';

/** An argument that is also sent as a header (2026-07-28, Streamable HTTP, custom headers from tool parameters). */
export interface MirroredArgument {
  /** JSON Pointer into the arguments */
  readonly pointer: string;
  /** of the header, behind `Mcp-Param-` */
  readonly name: string;
}

const MARK = 'x-mcp-header';
/** RFC 9110, 5.6.2 */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const MIRRORED_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

interface Place {
  readonly schema: unknown;
  /** of the argument; null where none is always found: below a list, an alternative, a definition */
  readonly pointer: string | null;
}

function* below({ schema, pointer }: Place): Generator<Place> {
  if (!isObject(schema)) return;
  for (const { keyword, path, value } of subschemas(schema)) yield { schema: value, pointer: keyword === 'properties' && pointer !== null ? pointer + path.slice('/properties'.length) : null };
}

const nameIn = ({ schema, pointer }: Place): Result<MirroredArgument | null, string> => {
  if (!isObject(schema) || !Object.hasOwn(schema, MARK)) return ok(null);
  if (pointer === null || pointer === '') return err(`${MARK} outside a chain of properties`);
  const at = `${MARK} of ${JSON.stringify(pointer.slice(0, 100))}`;
  const name = schema[MARK];
  if (typeof name !== 'string' || !TOKEN.test(name)) return err(`${at} is no name of a header`);
  if (!MIRRORED_TYPES.has(schema['type'])) return err(`${at} is on another type than string, integer or boolean`);
  return ok({ pointer, name });
};

/** The arguments of a tool that its schema wants mirrored, or why the declaration breaks the specification: such a tool has to be left out. */
export const mirroredArguments = (inputSchema: unknown): Result<readonly MirroredArgument[], string> => {
  const found: MirroredArgument[] = [];
  const names = new Set<string>();
  const waiting: Place[] = [{ schema: inputSchema, pointer: '' }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const named = nameIn(place);
    if (!named.ok) return named;
    if (named.value !== null) {
      const { name } = named.value;
      if (names.has(name.toLowerCase())) return err(`${MARK} names ${JSON.stringify(name.slice(0, 100))} twice`);
      names.add(name.toLowerCase());
      found.push(named.value);
    }
    waiting.push(...below(place));
  }
  return ok(found);
};

const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;
const WRAPPED = /^=\?base64\?.*\?=$/;

/** A value as a field of HTTP carries it: plain where it survives, else `=?base64?...?=` of its UTF-8. */
const fieldValue = (value: string): string => (PLAIN.test(value) && !WRAPPED.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`);

/** The headers of one call. An argument that is absent, null or of another type is in none. */
export const argumentHeaders = (mirrored: readonly MirroredArgument[], frozenArguments: string): Readonly<Record<string, string>> => {
  if (mirrored.length === 0) return {};
  const input: unknown = JSON.parse(frozenArguments);
  return Object.fromEntries(
    mirrored.flatMap(({ pointer, name }) => {
      const value = byPointer(input, pointer);
      return typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value) ? [[`Mcp-Param-${name}`, fieldValue(String(value))]] : [];
    }),
  );
};
