/** The JSON Schema dialects that can be judged (S05). */
export const DIALECTS = ['2020-12', '2019-09', 'draft-07', 'draft-06', 'draft-04'] as const;
export type Dialect = (typeof DIALECTS)[number];

const URI = /^https?:\/\/json-schema\.org\/(?:draft\/(2020-12|2019-09)|(draft-0[467]))\/schema#?$/;
const LATEST = /^https?:\/\/json-schema\.org\/schema#?$/;

/**
 * The dialect that `$schema` names; `undeclared` when it names none, `unknown` when it names another one.
 * An undeclared schema is 2020-12 (MCP 2025-11-25, SEP-1613), or an older dialect where only that one accepts it.
 */
export const declaredDialect = (schema: unknown): Dialect | 'undeclared' | 'unknown' => {
  if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, '$schema')) return 'undeclared';
  const uri = (schema as { readonly $schema?: unknown }).$schema;
  if (typeof uri !== 'string') return 'unknown';
  if (LATEST.test(uri)) return 'undeclared';
  const match = URI.exec(uri);
  return ((match?.[1] ?? match?.[2]) as Dialect | undefined) ?? 'unknown';
};

/** In order of preference, for a schema that declares none. */
export const UNDECLARED_DIALECTS: readonly Dialect[] = ['2020-12', 'draft-07', 'draft-04'];

/** Before 2019-09, keywords beside `$ref` are ignored. */
export const ignoresRefSiblings = (dialect: Dialect): boolean => dialect === 'draft-07' || dialect === 'draft-06' || dialect === 'draft-04';

export const idKeyword = (dialect: Dialect): 'id' | '$id' => (dialect === 'draft-04' ? 'id' : '$id');
