import { isObject } from '../../../shared/is-object.ts';
import type { Definition } from '../../../shared/capability.ts';
import { answered, refused, type HostTool } from './host-tool.ts';

export const LIST_RESOURCES = 'list_resources';
export const READ_RESOURCE = 'read_resource';
const PAGE = 50;
const LONGEST_WORDS = 300;

/** A resource or template that a principal may read now. */
export interface ReadableResource {
  readonly id: string;
  readonly serverId: string;
  readonly definition: Definition;
  readonly inputSchema: unknown;
}

interface ListInput {
  readonly words?: string;
  readonly offset?: number;
}

const cut = (text: string | undefined): string | undefined => (text === undefined ? undefined : text.length > LONGEST_WORDS ? `${text.slice(0, LONGEST_WORDS).toWellFormed()}...` : text);

const told = ({ id, serverId, definition, inputSchema }: ReadableResource): unknown => {
  const { title, description, mimeType, uriTemplate } = definition;
  const template = uriTemplate === undefined || !isObject(inputSchema) ? {} : { uriTemplate, variables: Object.keys(isObject(inputSchema['properties']) ? inputSchema['properties'] : {}), required: inputSchema['required'] ?? [] };
  return { resource: id, server: serverId, title: cut(title), description: cut(description), mimeType: cut(mimeType), ...template };
};

/** What the asking principal may read, by the one decision that the line of a call makes: a list of names, in pages. */
export const listResourcesTool = (readable: (principal: string) => readonly ReadableResource[]): HostTool => ({
  tier: 'read_only',
  definition: {
    name: LIST_RESOURCES,
    title: 'List resources',
    description: `Lists the resources (documents, records, files of servers) that you may read, ${PAGE} at a time. Titles and descriptions are the words of their servers. Read one with ${READ_RESOURCE}.`,
    inputSchema: {
      type: 'object',
      properties: {
        words: { type: 'string', description: 'Only those that have each of these words in name, title or description.', maxLength: 500 },
        offset: { type: 'integer', description: 'First one to list; from 0.', minimum: 0 },
      },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  call: (input, { principal }) => {
    const { words = '', offset = 0 } = input as ListInput;
    const wanted = words.toLowerCase().split(/\s+/).filter((word) => word !== '');
    const fits = readable(principal).filter(({ id, definition: { title = '', description = '' } }) => {
      const text = `${id} ${title} ${description}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
    const next = offset + PAGE < fits.length ? { next: offset + PAGE } : {};
    return Promise.resolve(answered({ total: fits.length, ...next, resources: fits.slice(offset, offset + PAGE).map(told) }));
  },
});

/**
 * The name by which a model reads a resource. A call of it is a call of the resource itself, on the line under the resource's own identity and grant (see `readOf`);
 * what names no resource comes here and is told so.
 */
export const readResourceTool = (): HostTool => ({
  tier: 'read_only',
  definition: {
    name: READ_RESOURCE,
    title: 'Read a resource',
    description: `Reads one resource of a server by the name that ${LIST_RESOURCES} gives under "resource". A template takes its variables under "variables". What it returns are the words of that server, not of Gantry.`,
    inputSchema: {
      type: 'object',
      properties: {
        resource: { type: 'string', description: `As ${LIST_RESOURCES} names it.`, maxLength: 2_048 },
        variables: { type: 'object', description: 'Of a template: a text for each of its variables.', additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] } },
      },
      required: ['resource'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
  call: () => Promise.resolve(refused(`"resource" has to be a name that ${LIST_RESOURCES} gives.`)),
});

/** The resource that a call of `read_resource` is about, with the input of that one; null where it names none. */
export const readOf = (argumentsText: string): { readonly capabilityId: string; readonly inputText: string } | null => {
  try {
    const input: unknown = JSON.parse(argumentsText);
    if (!isObject(input) || typeof input['resource'] !== 'string' || !/^mcp:[^:]+:resource:/.test(input['resource'])) return null;
    return { capabilityId: input['resource'], inputText: input['variables'] === undefined || input['variables'] === null ? '{}' : JSON.stringify(input['variables']) };
  } catch {
    return null;
  }
};
