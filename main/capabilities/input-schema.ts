import type { Definition } from '../../shared/capability.ts';
import type { CapabilityKind } from '../../shared/capability-id.ts';
import { isObject } from '../../shared/is-object.ts';
import { readUriTemplate } from '../../shared/uri-template.ts';

const MOST_ARGUMENTS = 256;

const closed = (properties: readonly (readonly [string, unknown])[], required: readonly string[]): unknown => ({ type: 'object', properties: Object.fromEntries(properties), ...(required.length === 0 ? {} : { required }), additionalProperties: false });

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** One declared argument of a prompt; an entry that is none loses itself alone. */
const promptArguments = (declared: unknown): readonly { readonly name: string; readonly title: string | undefined; readonly description: string | undefined; readonly required: boolean }[] => {
  if (!Array.isArray(declared)) return [];
  const byName = new Map<string, { name: string; title: string | undefined; description: string | undefined; required: boolean }>();
  for (const entry of declared.slice(0, MOST_ARGUMENTS)) {
    if (!isObject(entry) || typeof entry['name'] !== 'string' || entry['name'] === '' || byName.has(entry['name'])) continue;
    byName.set(entry['name'], { name: entry['name'], title: text(entry['title']), description: text(entry['description']), required: entry['required'] === true });
  }
  return [...byName.values()];
};

const promptSchema = ({ arguments: declared }: Definition): unknown => {
  const known = promptArguments(declared);
  const property = ({ title, description }: (typeof known)[number]): unknown => ({ type: 'string', ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) });
  return closed(known.map((one) => [one.name, property(one)]), known.filter((one) => one.required).map((one) => one.name));
};

const LIST = { type: 'array', items: { type: 'string' }, maxItems: 1_000 } as const;
const PAIRS = { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 1_000 } as const;

const templateSchema = (uriTemplate: string): unknown => {
  const template = readUriTemplate(uriTemplate);
  // what is no template is excluded at registration
  if (typeof template === 'string') return closed([], []);
  const isNamed = (name: string): boolean => template.parts.some((part) => 'operator' in part && /[?&;]/.test(part.operator) && part.variables.some((variable) => variable.name === name));
  const valueOf = ({ name, explode }: (typeof template.variables)[number]): unknown => (explode ? (isNamed(name) ? { anyOf: [LIST, PAIRS] } : LIST) : { type: 'string' });
  return closed(template.variables.map((variable) => [variable.name, valueOf(variable)]), template.variables.filter(({ optional }) => !optional).map(({ name }) => name));
};

/**
 * What a use of a capability takes. A tool declares it itself; of a resource it is its own URI, of a template its variables (RFC 6570), of a prompt its declared
 * arguments, which are texts (2025-11-25 and 2026-07-28, prompts). Made by the host from what the definition's fingerprint covers.
 */
export const inputSchemaOf = (kind: CapabilityKind, definition: Definition): unknown => {
  if (kind === 'tool') return definition.inputSchema;
  if (kind === 'prompt') return promptSchema(definition);
  if (definition.uriTemplate !== undefined) return templateSchema(definition.uriTemplate);
  return closed([['uri', { type: 'string', const: definition.uri ?? definition.name }]], ['uri']);
};
