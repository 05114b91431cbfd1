import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Definition } from '../../shared/capability.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { pointerTo } from './json-walk.ts';

/** Lower-case hex SHA-256 of the UTF-8 form of `text`. */
export const sha256Hex = (text: string): string => hash('sha256', text, 'hex');

/** The JSON Pointer of the first string with a lone surrogate, or non-finite number; undefined when there is none. */
const findUncanonical = (value: unknown): string | undefined =>
  pointerTo(value, (leaf) => (typeof leaf === 'string' && !leaf.isWellFormed()) || (typeof leaf === 'number' && !Number.isFinite(leaf)) || typeof leaf === 'bigint');

/**
 * RFC 8785 text of a JSON value. Members that are `undefined` are absent.
 * Error `not_canonical` (field: JSON Pointer where known): lone surrogate, NaN, infinity, a cycle, or nesting too deep for the stack.
 */
export const canonicalJson = (value: unknown): Result<string, Fault> => {
  try {
    const text = canonicalize(value);
    if (text !== undefined) return ok(text);
    return err(fault('not_canonical', 'There is no JSON value to write down.'));
  } catch (error) {
    const field = error instanceof RangeError ? undefined : findUncanonical(value);
    const cause = error instanceof RangeError ? 'nested too deeply' : error instanceof Error ? error.message : String(error);
    return err(fault('not_canonical', `The value has no canonical JSON form: ${cause}.`, field === undefined ? {} : { field }));
  }
};

/** `_meta` keys that change what the host does (MCP Apps). All others, counters and transport notes of servers among them, are not part of a definition. */
const META_KEYS_USED = ['ui', 'ui/resourceUri'] as const;

/** The part of `_meta` that belongs to the definition; absent when empty. */
export const usedMeta = (meta: Definition['meta']): Record<string, unknown> | undefined => {
  if (!meta) return undefined;
  const kept = Object.fromEntries(META_KEYS_USED.filter((key) => Object.hasOwn(meta, key)).map((key) => [key, meta[key]]));
  return Object.keys(kept).length === 0 ? undefined : kept;
};

const declared = (d: Definition): Record<string, unknown> => ({
  name: d.name,
  title: d.title,
  description: d.description,
  inputSchema: d.inputSchema,
  outputSchema: d.outputSchema,
  annotations: d.annotations,
  meta: usedMeta(d.meta),
  uri: d.uri,
  uriTemplate: d.uriTemplate,
  mimeType: d.mimeType,
  arguments: d.arguments,
});

/**
 * SHA-256 over the RFC 8785 form of what the server declares (design section 2): an absent field is absent, key order and spacing do not count,
 * unequal Unicode stays unequal. Error `not_canonical`.
 */
export const definitionFingerprint = (definition: Definition): Result<string, Fault> => {
  const text = canonicalJson(declared(definition));
  return text.ok ? ok(sha256Hex(text.value)) : text;
};

export interface Binding {
  readonly definitionFingerprint: string;
  readonly serverId: string;
  readonly launchFingerprint: string | null;
  readonly instructions: string | undefined;
  /** null: not reviewed. Any other review of the same definition is another version. */
  readonly reviewVersion: string | null;
}

/** The binding without the review; kept with the registration. */
export const sourceFingerprint = (source: Omit<Binding, 'reviewVersion'>): string =>
  // JSON.stringify writes lone surrogates as escapes, so that odd instructions still have one form
  sha256Hex(JSON.stringify(['gantry-source-1', source.definitionFingerprint, source.serverId, source.launchFingerprint, source.instructions ?? null]));

export const bindingOf = (source: string, reviewVersion: string | null): string => sha256Hex(JSON.stringify(['gantry-binding-1', source, reviewVersion]));

/** What a turn and a frozen input hash bind to: definition + server + launch + server instructions (S14) + review version. */
export const bindingFingerprint = (binding: Binding): string => bindingOf(sourceFingerprint(binding), binding.reviewVersion);
