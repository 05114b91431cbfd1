import { capabilityId, parseCapabilityId } from '../../../shared/capability-id.ts';
import type { Capability } from '../../../shared/capability.ts';
import type { Fault } from '../../../shared/fault.ts';
import { fault } from '../../../shared/fault.ts';
import { err, ok } from '../../../shared/result.ts';
import type { Result } from '../../../shared/result.ts';
import type { Candidate } from '../../capabilities/candidate.ts';
import { bindingFingerprint, definitionFingerprint, sha256Hex } from '../../capabilities/fingerprint.ts';
import type { TurnBinding } from '../../capabilities/turn-binding.ts';
import type { WireOutcome } from '../../servers/wire-outcome.ts';
import type { ToolCall, ToolPort } from '../dispatch.ts';
import type { CandidatePort } from '../plan.ts';
import type { HostTool } from './host-tool.ts';

/** Reserved: no server has this id (design section 2). */
export const HOST = 'host';

/** Whether a capability is the host's own. */
const isHostCapability = (id: string): boolean => parseCapabilityId(id)?.serverId === HOST;

const candidateOf = ({ definition, tier }: HostTool, version: string): Candidate => {
  const id = capabilityId(HOST, 'tool', definition.name);
  const made = definitionFingerprint(definition);
  if (!made.ok) throw new Error(`the definition of ${id} cannot be fingerprinted`);
  const launchFingerprint = sha256Hex(`gantry ${version}`);
  const binding = bindingFingerprint({ definitionFingerprint: made.value, serverId: HOST, launchFingerprint, instructions: undefined, reviewVersion: null });
  const capability: Capability = {
    id, serverId: HOST, kind: 'tool', name: definition.name, ...(definition.title === undefined ? {} : { title: definition.title }), ...(definition.description === undefined ? {} : { description: definition.description }),
    definitionFingerprint: made.value, bindingFingerprint: binding, schemaState: 'checked', schemaDetail: { state: 'checked' }, tier, tierSource: 'catalog', admitted: true, needsReview: false, changedFields: [], grantedTo: [],
    available: true, flags: [], firstSeenAt: 0, lastSeenAt: 0,
  };
  return { capability, definition, inputSchema: definition.inputSchema, outputSchema: definition.outputSchema, definitionFingerprint: made.value, bindingFingerprint: binding, launchFingerprint, tier, schemaState: { state: 'checked' } };
};

/**
 * The host's own tools behind the ports that servers' tools have, so that each call of them passes plan, normalize, policy, approval, dispatch, validate and
 * evidence like any other. They need no grant: what they may look at is the asking run's own; a deny rule over `mcp:host:tool:<name>` stops them.
 */
export class HostTools {
  readonly #tools: ReadonlyMap<string, { readonly tool: HostTool; readonly candidate: Candidate }>;

  constructor(tools: readonly HostTool[], version: string) {
    this.#tools = new Map(tools.map((tool) => [tool.definition.name, { tool, candidate: candidateOf(tool, version) }]));
  }

  /** Error: unknown_capability. */
  candidate(id: string): Result<Candidate, Fault> {
    const found = this.#tools.get(parseCapabilityId(id)?.name ?? '');
    return found && found.candidate.capability.id === id ? ok(found.candidate) : err(fault('unknown_capability', 'There is no such capability.', { details: { capabilityId: id } }));
  }

  /** What a turn binds to. Null: there is no such tool. */
  bound(id: string): TurnBinding | null {
    const found = this.candidate(id);
    if (!found.ok) return null;
    const { definition, definitionFingerprint, bindingFingerprint, launchFingerprint } = found.value;
    return { fingerprint: bindingFingerprint, definition, definitionFingerprint, launchFingerprint, instructionsFingerprint: null, reviewVersion: null };
  }

  /** The registry's decision for servers' tools, ours for the host's. */
  candidatesBeside(registry: CandidatePort): CandidatePort {
    return { candidate: (id, principal, scope) => (isHostCapability(id) ? this.candidate(id) : registry.candidate(id, principal, scope)), bound: (id) => (isHostCapability(id) ? this.bound(id) : registry.bound(id)) };
  }

  /** The pool for servers' tools, the host itself for its own. */
  callsBeside(pool: ToolPort): ToolPort {
    return { callTool: (call) => (call.serverId === HOST ? this.#call(call) : pool.callTool(call)), askTask: (serverId, question) => pool.askTask(serverId, question), answerTask: (serverId, wants) => pool.answerTask(serverId, wants) };
  }

  async #call(call: ToolCall): Promise<WireOutcome> {
    const found = this.#tools.get(call.toolName);
    if (!found) return { kind: 'failed', fault: fault('unknown_capability', 'There is no such tool of Gantry.'), sent: false, mayHaveRun: false };
    call.onSent();
    return found.tool.call(JSON.parse(call.frozenArguments), { runId: call.runId, principal: call.principal, signal: call.signal });
  }
}
