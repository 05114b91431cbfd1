import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import { expandUriTemplate, readUriTemplate, type TemplateValue } from '../../shared/uri-template.ts';
import type { Candidate } from '../capabilities/candidate.ts';
import type { Repaired } from './repairs.ts';

const LONGEST_URI = 8_192;

/** A resource takes one thing only, its own URI; an input without it means it. */
export const withOwnUri = (given: Repaired, { capability, definition }: Candidate): Repaired => {
  const isOne = capability.kind === 'resource' && definition.uriTemplate === undefined;
  if (!isOne || typeof given.value !== 'object' || given.value === null || Array.isArray(given.value) || Object.keys(given.value).length > 0) return given;
  return { value: { uri: definition.uri ?? definition.name }, repairs: [...given.repairs.filter(({ what }) => what !== 'empty_as_object'), { pointer: '/uri', what: 'own_uri' }] };
};

/**
 * The URI that a resource is asked by, from the definition that the call is bound to and the input that was judged; null for tools and prompts. It is a name
 * that its own server gave: Gantry neither opens nor resolves it, whatever its scheme. Error: invalid_input.
 */
export const askedUri = ({ capability, definition }: Candidate, value: unknown): Result<string | null, Fault> => {
  if (capability.kind !== 'resource') return ok(null);
  if (definition.uriTemplate === undefined) return ok(definition.uri ?? definition.name);
  const template = readUriTemplate(definition.uriTemplate);
  if (typeof template === 'string') return err(fault('schema_excluded', `The URI template cannot be expanded: ${template}.`, { field: '/uriTemplate' }));
  const uri = expandUriTemplate(template, value as Readonly<Record<string, TemplateValue>>, LONGEST_URI);
  return uri !== null ? ok(uri) : err(fault('invalid_input', `The URI has more than ${LONGEST_URI} characters; so many are sent at most.`, { field: '', remedy: 'Give shorter values; nothing was sent.' }));
};
