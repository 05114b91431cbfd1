import type { Definition } from '../../shared/capability.ts';
import type { CapabilityKind } from '../../shared/capability-id.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { TOO_DEEP_ENTRY } from './deep-entries.ts';
import { JSON_DEPTH_CAP } from './json-depth.ts';
import { tooLargeReason } from './large-entries.ts';

const record = (value: unknown): Record<string, unknown> | undefined => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined);
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const NAME_CAP = 1024;

/** Leaves out what is undefined, so that an absent field is absent (fingerprints count on it). */
const present = <T extends object>(fields: T): T => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/**
 * One entry of a list, kept whole in what a definition has; oddities of one field lose that field, a missing name loses the entry, alone and with the reason (C025).
 * Resources are named by their URI, templates by their URI template.
 */
export const parseDefinition = (kind: CapabilityKind, entry: unknown): Result<Definition, string> => {
  if (entry === TOO_DEEP_ENTRY) return err(`nested deeper than ${JSON_DEPTH_CAP} levels`);
  const tooLarge = tooLargeReason(entry);
  if (tooLarge !== null) return err(tooLarge);
  const e = record(entry);
  if (e === undefined) return err('not an object');
  const uri = kind === 'resource' ? text(e['uri']) : undefined;
  const uriTemplate = kind === 'resource' && uri === undefined ? text(e['uriTemplate']) : undefined;
  const name = kind === 'resource' ? (uri ?? uriTemplate) : text(e['name']);
  if (kind === 'resource' && (name === undefined || name === '')) return err('no uri');
  if (name === undefined || name === '') return err(name === '' ? 'an empty name' : `a name of type ${e['name'] === null ? 'null' : typeof e['name']}`);
  if (name.length > NAME_CAP) return err(`a name of ${name.length} characters`);
  // what could not be read was mended before (F04): under the mended name the server knows nothing
  if (!name.isWellFormed() || name.includes('\ufffd')) return err('a name with characters that cannot be read');
  if (kind === 'tool' && e['inputSchema'] !== undefined && e['inputSchema'] !== null && record(e['inputSchema']) === undefined && typeof e['inputSchema'] !== 'boolean') return err(`an inputSchema of type ${Array.isArray(e['inputSchema']) ? 'array' : typeof e['inputSchema']}`);
  const own = kind === 'resource' ? text(e['title']) ?? text(e['name']) : text(e['title']);
  return ok(
    present<Definition>({
      name,
      title: own as string,
      description: text(e['description']) as string,
      inputSchema: kind === 'tool' ? (e['inputSchema'] ?? undefined) : undefined,
      outputSchema: kind === 'tool' ? (e['outputSchema'] ?? undefined) : undefined,
      annotations: record(e['annotations']) as Record<string, unknown>,
      meta: record(e['_meta']) as Record<string, unknown>,
      uri: uri as string,
      uriTemplate: uriTemplate as string,
      mimeType: text(e['mimeType']) as string,
      arguments: kind === 'prompt' ? (e['arguments'] ?? undefined) : undefined,
    }),
  );
};
