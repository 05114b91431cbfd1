import type { LanguageModelV3Message, LanguageModelV3ToolCall } from '@ai-sdk/provider';
import { DEFAULT_STEPS, type RunLimits, type Scope } from '../../shared/agent-profile.ts';
import type { Answer } from '../../shared/conversation.ts';
import type { Fault } from '../../shared/fault.ts';
import type { NewEvent } from '../evidence/recorder.ts';
import { moveUsage, putAnswer } from '../store/agent-runs.ts';
import { sendCall, tellCall, turnOrder, type AgentCall, type SentCall } from './agent-call.ts';
import type { AgentDeps } from './agent-deps.ts';
import { askTurn } from './agent-turn.ts';
import { endingOf } from './answer-ending.ts';
import type { AskFault, Asked } from './asking.ts';
import type { ChosenModel } from './choose-model.ts';
import { checkCitations, nextLabel, type LabelledResult } from './citations.ts';
import { NO_QUESTIONS, type EarlierQuestions } from './earlier-runs.ts';
import type { ExposedTool } from './exposed-tool.ts';
import { assistantMessage, callsOf, mediaBytes, resultsMessage, type CallResultMessage, type TurnCall } from './history.ts';
import { withNotice } from './isolation-notice.ts';
import { LoopWatch } from './loop-watch.ts';
import type { PictureRefusals } from './media-refusal.ts';
import type { OpenWork } from './open-work.ts';
import { readAttachments, ReadResources, staleText, type CapabilityAttachment } from './read-attachments.ts';
import { notMade } from './reply-end.ts';
import { RunBudget } from './run-budget.ts';

/** An answer above this has its tool offer the host's field from the next turn on. */
const LARGE_BYTES = 16_384;

/** Calls of one reply that are made; a reply of a few megabytes can hold a hundred thousand. */
const MOST_CALLS = 128;

/** To a model whose provider paused its turn in the middle. */
const PAUSED = '(Gantry, not a person: your turn was paused by your provider. Go on where you were.)';

/** Why a run's signal is aborted where no person stopped it. */
export const GANTRY_CLOSES = new DOMException('Gantry was closed.', 'AbortError');

export interface Ending {
  readonly state: 'completed' | 'failed';
  readonly code: string | null;
}

/** What one run of the agent is to do. */
export interface RunPlan {
  readonly runId: string;
  readonly principal: string;
  /** narrows what the principal may use; null: not further */
  readonly scope: Scope | null;
  readonly limits: RunLimits;
  readonly instructions: string;
  readonly prompt: string;
  readonly question: Extract<LanguageModelV3Message, { role: 'user' }>;
  /** resources and prompts that the person gave along */
  readonly attachments: readonly CapabilityAttachment[];
  /** reads the questions before this one */
  readonly earlier: () => Promise<EarlierQuestions>;
  readonly model: ChosenModel;
  readonly signal: AbortSignal;
  /** ends all that this run has under way */
  readonly stopCalls: () => void;
  readonly work: OpenWork;
  readonly pictures: PictureRefusals;
}

/** One run: request, calls down the line, next request, until the model answers or something stops it. */
export class AgentRun {
  readonly #plan: RunPlan;
  readonly #deps: AgentDeps;
  readonly #budget: RunBudget;
  readonly #loops = new LoopWatch();
  readonly #large = new Set<string>();
  /** of this question; the system's message and earlier questions come before it */
  #current: readonly LanguageModelV3Message[];
  #results: readonly LabelledResult[] = [];
  #earlier = NO_QUESTIONS;
  readonly #resources: ReadResources;
  /** of calls, in the requests of this run */
  readonly #ids = new Set<string>();
  /** what requests of this run carried, by the name that the model saw */
  readonly #former = new Map<string, ExposedTool>();
  #hasStored = false;
  #requests = 0;

  constructor(plan: RunPlan, deps: AgentDeps) {
    this.#plan = plan;
    this.#deps = deps;
    this.#budget = new RunBudget(plan.limits, plan.model);
    this.#resources = new ReadResources(deps);
    this.#current = [plan.question];
  }

  get budget(): RunBudget {
    return this.#budget;
  }

  /** What ended it from outside: a person's stop, or the end of Gantry. */
  get #abortCode(): 'cancelled' | 'interrupted' {
    return this.#plan.signal.reason === GANTRY_CLOSES ? 'interrupted' : 'cancelled';
  }

  async take(): Promise<Ending> {
    const { signal, limits } = this.#plan;
    // the providers' libraries are loaded when a model is asked first: the start of the host does not wait for them
    const { askModel } = await import('./model-adapter.ts');
    await this.#readEarlier();
    const refused = signal.aborted ? null : await this.#readAttachments();
    if (signal.aborted) return this.#stopped(this.#abortCode);
    // `interrupted` of a run is Gantry's own end; the reading's own code stands in evidence
    if (refused) return this.#stopped(refused.code === 'interrupted' ? 'connection_failed' : refused.code);
    const steps = limits.steps ?? DEFAULT_STEPS;
    for (let turn = 1; turn <= steps; turn += 1) {
      this.#tellStale(turn);
      const { runId, principal, scope, model, prompt, instructions } = this.#plan;
      const taken = await askTurn({ runId, principal, scope, turn, model, prompt, earlier: this.#earlier, instructions, current: this.#current, hasStored: this.#hasStored, large: this.#large, budget: this.#budget, signal, askModel, pictures: this.#plan.pictures }, this.#deps);
      if (!taken.ok) return this.#unanswered(turn, taken.error);
      this.#current = taken.value.current;
      const { end } = taken.value.asked.reply;
      const { text, calls, surplus } = this.#reply(turn, taken.value.asked);
      if (end === 'withheld') return this.#stopped('model_refused', text);
      if (calls.length === 0) {
        if (end === 'cut') return this.#stopped('reply_cut', text);
        if (end === 'ended') return text.trim() === '' && surplus === 0 ? this.#stopped('empty_reply') : this.#answered(text);
        this.#current = [...this.#current, ...(text.trim() === '' ? [] : [assistantMessage(text, [], taken.value.asked.reply.reasoning)]), { role: 'user', content: [{ type: 'text', text: PAUSED }] }];
        continue;
      }
      const stopped = await this.#calls(turn, text, calls, taken.value.asked);
      if (surplus > 0) this.#current = [...this.#current.slice(0, -1), withNotice(this.#current.at(-1)!, `(Gantry, not a tool: ${surplus} more calls of this turn were not made; ${MOST_CALLS} are at most. Ask again for those that are still needed.)`)];
      if (signal.aborted) return this.#stopped(this.#abortCode);
      if (stopped) return this.#stopped(stopped.code);
    }
    return this.#stopped('too_many_steps');
  }

  async #readEarlier(): Promise<void> {
    this.#earlier = await this.#plan.earlier();
    this.#hasStored = this.#earlier.runs.some(({ hasStored }) => hasStored);
    this.#results = [...this.#earlier.results, ...this.#earlier.runs.flatMap(({ results }) => results)];
  }

  async #readAttachments(): Promise<Fault | null> {
    const { runId, model, signal, attachments, question } = this.#plan;
    const given = await readAttachments(attachments, { runId, model, signal }, this.#deps);
    if (!given.ok) return given.error;
    this.#current = [{ ...question, content: [...question.content, ...given.value.parts] }];
    for (const { capabilityId, at } of given.value.read) this.#resources.read(capabilityId, at);
    this.#hasStored ||= given.value.isShortened;
    return null;
  }

  /** Resources that changed since this run read them, each change once. */
  #tellStale(turn: number): void {
    const stale = turn === 1 ? [] : this.#resources.stale();
    if (stale.length === 0) return;
    this.#current = [...this.#current.slice(0, -1), withNotice(this.#current.at(-1)!, staleText(stale))];
    this.#deps.line.note(this.#plan.runId, stale.map((capabilityId): NewEvent => ({ type: 'resource.stale', invocationId: null, data: { turn, capabilityId } })));
  }

  /** What the model said, on record with what it took. */
  #reply(turn: number, { reply, requests }: Asked): { readonly text: string; readonly calls: readonly TurnCall[]; readonly surplus: number } {
    const text = reply.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n').toWellFormed();
    const wanted = reply.content.filter((part): part is LanguageModelV3ToolCall => part.type === 'tool-call');
    // of a reply that was withheld no call is one
    const calls = callsOf(reply.end === 'withheld' ? [] : wanted.slice(0, MOST_CALLS), turn, this.#ids);
    const surplus = wanted.length - calls.length;
    for (const { id } of calls) this.#ids.add(id);
    this.#requests += requests;
    this.#noteReply({ turn, text, calls: calls.map((c) => ({ id: c.id, name: c.name, argumentsText: c.inputText })), finish: reply.finish.raw ?? reply.finish.unified, ...(reply.end === 'ended' ? {} : { end: reply.end }), ...(surplus === 0 ? {} : { callsNotMade: surplus }) });
    return { text, calls, surplus };
  }

  /** `usage`: of this turn's requests together. */
  #noteReply(data: Readonly<Record<string, unknown>>): void {
    const { usage } = this.#budget;
    const turnUsage = this.#budget.takeTurn();
    this.#deps.line.note(this.#plan.runId, [{ type: 'turn.reply', invocationId: null, data: { ...data, usage: { ...turnUsage } } }], (db) => moveUsage(db, this.#plan.runId, this.#requests, usage));
  }

  /**
   * All calls of the turn at once, each to its end; they are told in the order in which the model made them, whatever order they ended in. A fault where the run is to
   * stop after these calls: each has its result before that. Where one throws, the others are stopped first.
   */
  async #calls(turn: number, text: string, calls: readonly TurnCall[], asked: Asked): Promise<Fault | null> {
    const { runId, principal, scope, signal } = this.#plan;
    const { end, finish } = asked.reply;
    const unmade = end === 'ended' ? null : notMade(end, finish.raw ?? finish.unified);
    const byName = new Map(asked.tools.map((tool) => [tool.name, tool]));
    const all = calls.map((call): AgentCall => {
      const tool = byName.get(call.name) ?? null;
      return { runId, principal, scope, turn, call, tool, former: tool === null ? (this.#former.get(call.name) ?? null) : null, notMade: unmade, signal };
    });
    for (const tool of asked.tools) this.#former.set(tool.name, tool);
    const order = turnOrder(all, this.#deps);
    const going = all.map((one, i) => sendCall(one, order.at(i), this.#deps));
    try {
      return await this.#told(text, calls, going, asked);
    } catch (error) {
      this.#plan.stopCalls();
      await Promise.allSettled(going);
      throw error;
    }
  }

  async #told(text: string, calls: readonly TurnCall[], going: readonly Promise<SentCall>[], asked: Asked): Promise<Fault | null> {
    const { model, work } = this.#plan;
    const results: CallResultMessage[] = [];
    let carried = mediaBytes(this.#current);
    let stop: Fault | null = null;
    // what throws while an earlier one is awaited is heard when its turn comes
    for (const one of going) one.catch(() => undefined);
    for (const one of going) {
      const sent = await one;
      const { asked: { call, tool }, outcome, calledAt } = sent;
      const { told, labelled, read } = tellCall(sent, { model, carried, work, offered: asked.tools, refusesPictures: this.#plan.pictures.has(model), label: nextLabel(this.#results) }, this.#deps);
      carried += told.attached.reduce((sum, { data }) => sum + data.length, 0);
      this.#hasStored ||= told.isShortened;
      if (labelled) this.#results = [...this.#results, labelled];
      if (told.isShortened || Buffer.byteLength(told.text) > LARGE_BYTES) this.#large.add(tool?.capabilityId ?? '');
      stop ??= this.#loops.heard({ capabilityId: tool?.capabilityId ?? call.name, argumentsText: call.inputText }, outcome);
      if (read !== null) this.#resources.read(read, calledAt);
      results.push({ call, told });
    }
    this.#current = [...this.#current, assistantMessage(text, calls, asked.reply.reasoning), resultsMessage(results)];
    return stop;
  }

  #answered(said: string): Ending {
    const { ending, text } = endingOf(said);
    this.#record({ text, ending, code: null, citations: checkCitations(text, this.#results) });
    return { state: 'completed', code: null };
  }

  /** The model did not reply, or not to its end: what had come stays. */
  #unanswered(turn: number, why: AskFault): Ending {
    const partial = why.partialText.toWellFormed();
    if (partial !== '') this.#requests += 1;
    if (partial !== '' || this.#budget.hasTurn) this.#noteReply({ turn, text: partial, calls: [], partial: true });
    return this.#plan.signal.aborted ? this.#stopped(this.#abortCode, partial) : this.#stopped(why.code, partial, why);
  }

  #stopped(code: string, text = '', why: Fault | null = null): Ending {
    const failed = why === null ? {} : { why: { message: why.message, details: { ...why.details, ...(typeof why.details?.['retryAfterMs'] === 'number' ? { retryAt: this.#deps.clock.now() + why.details['retryAfterMs'] } : {}) } } };
    this.#record({ text, ending: 'stop', code, ...failed, citations: checkCitations(text, this.#results) });
    return { state: 'failed', code };
  }

  #record(answer: Answer): void {
    const { line, conceal } = this.#deps;
    line.note(this.#plan.runId, [{ type: 'run.answer', invocationId: null, data: { ...answer } }], (db) => putAnswer(db, this.#plan.runId, concealed(answer, conceal)));
  }
}

/** As a list keeps it, outside of the evidence and its filter. */
const concealed = (answer: Answer, conceal: (text: string) => string): Answer => ({
  ...answer, text: conceal(answer.text),
  ...(answer.why === undefined ? {} : { why: { message: conceal(answer.why.message), details: Object.fromEntries(Object.entries(answer.why.details).map(([name, value]) => [name, typeof value === 'string' ? conceal(value) : value])) } }),
});
