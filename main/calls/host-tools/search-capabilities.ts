import type { Tier } from '../../../shared/tier.ts';
import { answered, refused, type HostAsker, type HostTool } from './host-tool.ts';

export const SEARCH_CAPABILITIES = 'search_capabilities';
const MOST = 10;
const LONGEST_LINE = 200;

/** One tool that a principal may use now and that fits what was searched for. */
export interface FoundCapability {
  readonly capabilityId: string;
  readonly name: string;
  readonly server: string;
  /** the server's own words */
  readonly description: string;
  readonly tier: Tier;
  /** what speaks for it most */
  readonly why: readonly string[];
}

/** Ranks what the asking principal may use; at most so many, best first. Rejects where the words that ship with Gantry cannot be read. */
export type SearchCapabilities = (asker: Pick<HostAsker, 'runId' | 'principal'> & Partial<Pick<HostAsker, 'signal'>>, request: string, most: number) => Promise<{ readonly searched: number; readonly found: readonly FoundCapability[] }>;

const line = (text: string): string => {
  const flat = text.slice(0, LONGEST_LINE * 2).replace(/\s+/g, ' ').trim();
  return flat.length > LONGEST_LINE ? `${flat.slice(0, LONGEST_LINE).toWellFormed()}...` : flat;
};

/** Looks for tools beside those that a request carries. Finding one is no right to call it: the next request carries it where it still may be used. */
export const searchCapabilitiesTool = (search: SearchCapabilities): HostTool => ({
  tier: 'read_only',
  definition: {
    name: SEARCH_CAPABILITIES,
    title: 'Search for tools',
    description: 'You are shown only some of the tools that you may use. Says which others do what you describe, in English or Chinese. What it finds can be called from your next step on, under the names that are listed there; it cannot be called by way of this tool. Descriptions are the words of their servers.',
    inputSchema: {
      type: 'object',
      properties: {
        request: { type: 'string', description: 'What is to be done, in one sentence.', minLength: 1, maxLength: 1_000 },
        limit: { type: 'integer', description: 'How many at most.', minimum: 1, maximum: MOST },
      },
      required: ['request'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  call: async (input, asker) => {
    const { request, limit = 5 } = input as { readonly request: string; readonly limit?: number };
    const answer = await search(asker, request, limit).catch(() => null);
    if (answer === null) return refused('Tools cannot be searched: the word lists of this installation cannot be read.');
    return answered({ searched: answer.searched, tools: answer.found.map(({ name, server, description, tier, why }) => ({ tool: line(name), server: line(server), description: line(description), tier, why })) });
  },
});
