import type { Definition, SchemaState } from '../../shared/capability.ts';
import { capabilityId, type CapabilityKind } from '../../shared/capability-id.ts';
import { readUriTemplate } from '../../shared/uri-template.ts';
import type { RaisedFlag } from '../store/capabilities.ts';
import { definitionFlags } from './definition-flags.ts';
import { definitionFingerprint, sha256Hex } from './fingerprint.ts';
import { measureValue } from './value-limits.ts';

/** One offered thing under its local identity. `problem`: why it cannot be used, found before its schemas are looked at. */
export interface Offered {
  readonly id: string;
  readonly kind: CapabilityKind;
  readonly name: string;
  readonly definition: Definition;
  readonly fingerprint: string;
  readonly flags: readonly RaisedFlag[];
  readonly problem: Extract<SchemaState, { readonly state: 'excluded' }> | null;
}

/** A whole definition: a megabyte of description is odd but legal (S08). */
const LIMITS = { nodes: 250_000, depth: 200, chars: 8_388_608 } as const;
/** Ids are at most 2,048 characters in the contract. */
const MAX_NAME_CHARS = 1_800;

const escapeLoneSurrogates = (text: string): string => (text.isWellFormed() ? text : text.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`));

/** Lone surrogates become U+FFFD: none is stored or sent on (F04). Works on the JSON text, escape by escape. */
const wellFormed = (definition: Definition): Definition =>
  JSON.parse(JSON.stringify(definition).replace(/\\(?:u(d[89a-f][0-9a-f]{2})|.)/g, (escape, half: string | undefined) => (half === undefined ? escape : '\\ufffd'))) as Definition;

const localName = (name: string): { readonly name: string; readonly problem: string | null } => {
  const text = escapeLoneSurrogates(name);
  if (text === '') return { name: '', problem: 'the name is empty' };
  if (text.length > MAX_NAME_CHARS) return { name: `${text.slice(0, 200)}#${sha256Hex(text)}`, problem: `the name is longer than ${MAX_NAME_CHARS} characters` };
  return { name: text, problem: text === name ? null : 'the name is not valid Unicode text' };
};

const excluded = (pointer: string, reason: string): Offered['problem'] => ({ state: 'excluded', pointer, reason });

/** What the host makes of one entry of a list. Whatever is wrong with it costs that entry alone, and it stays listed with the reason. */
export const offeredFrom = (serverId: string, kind: CapabilityKind, declared: Definition): Offered => {
  const { name, problem: nameProblem } = localName(declared.name);
  const base = { id: capabilityId(serverId, kind, name), kind, name } as const;
  const measured = measureValue(declared, LIMITS);
  if (!measured.ok) {
    const definition = wellFormed({ name: declared.name.slice(0, MAX_NAME_CHARS), ...(declared.description === undefined ? {} : { description: declared.description.slice(0, 2_000) }) });
    return { ...base, definition, fingerprint: sha256Hex(`too-large:${JSON.stringify(definition)}`), flags: [], problem: excluded('', `the definition is too large: ${measured.message}`) };
  }
  const fingerprint = definitionFingerprint(declared);
  if (!fingerprint.ok) {
    const problem = excluded(fingerprint.error.field ?? '', fingerprint.error.message);
    return { ...base, definition: wellFormed(declared), fingerprint: sha256Hex(`not-canonical:${JSON.stringify(declared)}`), flags: definitionFlags(declared), problem };
  }
  const template = declared.uriTemplate === undefined ? null : readUriTemplate(declared.uriTemplate);
  const problem = nameProblem !== null ? excluded('/name', nameProblem) : typeof template === 'string' ? excluded('/uriTemplate', template) : null;
  return { ...base, definition: declared, fingerprint: fingerprint.value, flags: definitionFlags(declared), problem };
};
