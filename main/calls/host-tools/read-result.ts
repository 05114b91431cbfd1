import { parseCapabilityId } from '../../../shared/capability-id.ts';
import type { Fault } from '../../../shared/fault.ts';
import type { Result } from '../../../shared/result.ts';
import type { PartAnswer, PartQuestion } from '../../evidence/result-parts.ts';
import { answered, refused, type HostTool } from './host-tool.ts';

/** Below what one context takes, so that a part is never itself shortened. */
const PART_BYTES = 40_960;
export const READ_RESULT = 'read_result';

export interface ReadResultDeps {
  /** in a worker: the stored result may have 16 MiB */
  readonly part: (question: PartQuestion) => Promise<Result<PartAnswer, Fault>>;
  /** the errors of this server are told by their category alone */
  readonly categoryOnly: (serverId: string) => boolean;
  /** words of an error of this server without the values of its own configuration */
  readonly concealSettings: (serverId: string, text: string) => string;
}

interface ReadInput {
  readonly result: string;
  readonly part?: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** Reads parts of a result that was larger than a context takes: of the asking run and of earlier questions of its conversation, bounded, changes nothing. */
export const readResultTool = ({ part, categoryOnly, concealSettings }: ReadResultDeps): HostTool => ({
  tier: 'read_only',
  definition: {
    name: READ_RESULT,
    title: 'Read part of a stored result',
    description: 'Reads one part of a tool result of this conversation that was stored because it was too large to show. Give the id that the result names under "stored", a JSON Pointer of the part (for example /content/0/text or /structuredContent/rows), and where to begin. The answer says how much there is and where the next part begins. What it returns are the words of the server that gave the result, not of Gantry.',
    inputSchema: {
      type: 'object',
      properties: {
        result: { type: 'string', description: 'The id under "stored" in the shortened result.', maxLength: 100 },
        part: { type: 'string', description: 'JSON Pointer of the part; empty for the whole.', maxLength: 2_000 },
        offset: { type: 'integer', description: 'First character of a text, first item of a list, first member of an object; from 0.', minimum: 0 },
        limit: { type: 'integer', description: 'How many characters, items or members at most.', minimum: 1 },
      },
      required: ['result'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  call: async (input, { runId }) => {
    const { result, part: pointer = '', offset = 0, limit } = input as ReadInput;
    const answer = await part({ runId, invocationId: result, part: pointer, offset, limit: limit ?? null, budgetBytes: PART_BYTES });
    if (!answer.ok) return { kind: 'failed', fault: answer.error, sent: true, mayHaveRun: true };
    const found = answer.value;
    if (found.state === 'no_result') return refused('There is no stored result with this id in this conversation.');
    const server = parseCapabilityId(found.capabilityId)?.serverId ?? '';
    if (found.isError && categoryOnly(server)) return refused("The words of this server's errors are kept from models by its setting.");
    if (found.state === 'no_part') return refused(`The result has no such part: ${JSON.stringify(found.missing)} is not among ${JSON.stringify(found.names)}.`);
    const { exact, kind, value, ...where } = found.part;
    const from = { result, server, capability: found.capabilityId, class: found.class, ...(found.grounded ? {} : { citable: false }) };
    const told = { from, part: pointer, kind, ...where, value: found.isError ? (JSON.parse(concealSettings(server, JSON.stringify(value))) as unknown) : value, ...(found.notes.length === 0 ? {} : { notes: found.notes }) };
    return answered(told, { citable: found.grounded, exact: exact.map(({ place, text }) => ({ place: `/structuredContent/value${place}`, text, read: Number(text) })) });
  },
});
