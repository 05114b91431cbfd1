import { DEFAULT_SETTINGS } from '../../shared/settings.ts';
import { capabilityId as idOf } from '../../shared/capability-id.ts';
import type { CallClass } from '../../shared/call-class.ts';
import type { Idempotency } from '../../shared/idempotency.ts';
import type { Capability } from '../../shared/capability.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { Tier } from '../../shared/tier.ts';
import type { EventName } from '../../shared/contract/events.ts';
import { Bus } from '../bus.ts';
import type { Candidate } from '../capabilities/candidate.ts';
import type { TurnBinding } from '../capabilities/turn-binding.ts';
import { SchemaChecker } from '../capabilities/schema-checker.ts';
import { canonicalText, sha256 } from '../evidence/canonical.ts';
import { silentLog } from '../log.ts';
import type { TaskAnswer, TaskQuestion } from '../servers/task-call.ts';
import type { ToolAnswer } from '../servers/wire-answer.ts';
import type { WireOutcome } from '../servers/wire-outcome.ts';
import type { SqliteStore } from '../store/database.ts';
import { openTestStore } from '../store/open-test-store.ts';
import type { CallLineDeps } from './call-parts.ts';
import type { ToolCall } from './dispatch.ts';
import { CallLine } from './run-call.ts';

/** Both clocks by hand, in ms. */
export class HandClock {
  wall = 1_800_000_000_000;
  mono = 1_000;
  now(): number {
    return this.wall;
  }
  monotonic(): number {
    return this.mono;
  }
  pass(ms: number): void {
    this.wall += ms;
    this.mono += ms;
  }
}

export interface TestTool {
  readonly name: string;
  readonly tier?: Tier;
  readonly reviewed?: boolean;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly serverId?: string;
  readonly partly?: boolean;
  readonly description?: string;
  readonly callClass?: CallClass;
  readonly idempotency?: Idempotency;
}

/** The outside world of the line: what is registered and what answers. Tests change it as a server or a user would. */
export class World {
  readonly tools = new Map<string, Candidate>();
  readonly calls: ToolCall[] = [];
  refusal: Fault | null = null;
  /** the reading that calls wait for; null while nothing was announced */
  reading: () => Promise<Fault | null> | null = () => null;
  secrets: readonly { ref: string; value: string }[] = [];
  answer: (call: ToolCall, n: number) => ToolAnswer | Promise<ToolAnswer> = () => World.text('done');
  readonly questions: TaskQuestion[] = [];
  /** how a task stands */
  stands: (question: TaskQuestion, n: number) => TaskAnswer | Promise<TaskAnswer> = () => ({ kind: 'unknown', words: 'no such task' });

  static text(text: string): WireOutcome {
    return World.result({ content: [{ type: 'text', text }] });
  }

  static result(raw: unknown): WireOutcome {
    return { kind: 'result', raw, sizeBytes: Buffer.byteLength(JSON.stringify(raw) ?? '') };
  }

  tool(tool: TestTool, version = 1): string {
    const serverId = tool.serverId ?? 'srv';
    const id = idOf(serverId, 'tool', tool.name);
    const tier = tool.tier ?? 'high_write';
    const definitionFingerprint = sha256(canonicalText({ tool: { ...tool }, version }));
    const bindingFingerprint = sha256(`binding ${definitionFingerprint}`);
    const schemaState = tool.partly === true ? { state: 'partly_checked' as const, places: [{ pointer: '/properties/x/pattern', reason: 'look-around' }] } : { state: 'checked' as const };
    const inputSchema = tool.inputSchema ?? { type: 'object' };
    const capability: Capability = {
      id, serverId, kind: 'tool', name: tool.name, definitionFingerprint, bindingFingerprint, schemaState: schemaState.state, schemaDetail: schemaState, tier,
      tierSource: tool.reviewed === false ? 'annotation' : 'user', admitted: true, needsReview: tool.reviewed === false, changedFields: [], grantedTo: [], available: true, flags: [],
      firstSeenAt: 0, lastSeenAt: 0, ...(tool.callClass ? { callClass: tool.callClass } : {}), ...(tool.idempotency ? { idempotency: tool.idempotency } : {}),
    };
    const description = tool.description === undefined ? {} : { description: tool.description };
    this.tools.set(id, {
      capability, definition: { name: tool.name, inputSchema, ...description }, inputSchema, outputSchema: tool.outputSchema, definitionFingerprint, bindingFingerprint,
      launchFingerprint: sha256('launch'), tier, schemaState,
    });
    return id;
  }

  candidate(id: string, _principal: string): Result<Candidate, Fault> {
    if (this.refusal) return err(this.refusal);
    const found = this.tools.get(id);
    return found ? ok(found) : err(fault('unknown_capability', 'There is no such capability.'));
  }

  bound(id: string): TurnBinding | null {
    const found = this.tools.get(id);
    return found ? { fingerprint: found.bindingFingerprint, definition: found.definition, definitionFingerprint: found.definitionFingerprint, launchFingerprint: found.launchFingerprint, instructionsFingerprint: null, reviewVersion: null } : null;
  }

  async answerTask(): Promise<Result<Readonly<Record<string, unknown>>, Fault>> {
    return ok({});
  }

  async askTask(_serverId: string, question: TaskQuestion): Promise<TaskAnswer> {
    this.questions.push(question);
    return this.stands(question, this.questions.length);
  }

  async callTool(call: ToolCall): Promise<ToolAnswer> {
    this.calls.push(call);
    call.onSent();
    return this.answer(call, this.calls.length);
  }
}

export interface TestLine {
  readonly store: SqliteStore;
  readonly line: CallLine;
  readonly world: World;
  readonly clock: HandClock;
  readonly bus: Bus;
  readonly heard: { name: EventName; payload: unknown }[];
  /** the same data folder with a new process's memory */
  restart(): CallLine;
}

/** The real line over a real store, with the real schema checker; registry and pool are the outside. */
export const openTestLine = (world: World = new World(), more: Partial<CallLineDeps> = {}): TestLine => {
  const store = openTestStore();
  const clock = new HandClock();
  const bus = new Bus();
  const heard: TestLine['heard'] = [];
  bus.onAny((name, payload) => heard.push({ name, payload }));
  const schemas = new SchemaChecker();
  const deps: CallLineDeps = {
    store,
    bus,
    clock,
    registry: world,
    pool: world,
    freshen: () => world.reading(),
    secrets: { knownValues: () => world.secrets },
    validator: (candidate, side) => {
      const schema = side === 'input' ? candidate.inputSchema : candidate.outputSchema;
      return schemas.compile(schema, candidate.definitionFingerprint, side);
    },
    settings: () => DEFAULT_SETTINGS,
    log: silentLog,
    ...more,
  };
  return { store, line: new CallLine(deps), world, clock, bus, heard, restart: () => new CallLine(deps) };
};
