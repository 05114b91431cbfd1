import { DEFAULT_PROFILE, type RunLimits, type Scope } from '../../shared/agent-profile.ts';
import type { Attachment } from '../../shared/attachment.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { withoutHiddenText } from '../capabilities/hidden-text.ts';
import type { NewEvent } from '../evidence/recorder.ts';
import { orderedId } from '../ordered-id.ts';
import { insertAgentRun } from '../store/agent-runs.ts';
import { getConversation, insertConversation, touchConversation } from '../store/conversations.ts';
import { invocationsOfRun } from '../store/invocations.ts';
import { getRun } from '../store/runs.ts';
import { storeFault } from '../store/store-fault.ts';
import type { AgentDeps } from './agent-deps.ts';
import { AgentRun, GANTRY_CLOSES, type Ending, type RunPlan } from './agent-run.ts';
import { attachFiles, type AttachedFile } from './attachments.ts';
import { roomOf } from './conversation-history.ts';
import { NO_QUESTIONS } from './earlier-runs.ts';
import { readEarlierRuns } from './read-earlier-runs.ts';
import { chooseModel } from './choose-model.ts';
import { PictureRefusals } from './media-refusal.ts';
import { cutQuestion, titleOfGoingOn, type GoesOn } from './go-on.ts';
import { OpenWork, openPieceFacts } from './open-work.ts';
import { profileOf } from './profiles.ts';
import { checkAttachments, isOfCapability } from './read-attachments.ts';
import type { RunBudget } from './run-budget.ts';

/** A question as it comes in. Scope narrows the profile's further; limits replace those of the profile that they name. */
export interface AgentQuestion {
  readonly prompt: string;
  readonly model?: string | undefined;
  readonly wait: boolean;
  readonly profileId?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
  readonly scope?: Scope | undefined;
  readonly limits?: RunLimits | undefined;
  /** the question of the same conversation that was cut, which this one goes on with */
  readonly goesOn?: GoesOn | undefined;
}

/** What lists show of a run beside its question. */
interface RunFacts {
  readonly profileId: string;
  readonly modelId: string;
  readonly model: string;
}

interface Running {
  readonly conversationId: string;
  readonly controller: AbortController;
  readonly budget: RunBudget;
  readonly done: Promise<void>;
}

/** Characters of a conversation's first title: the beginning of its first question. */
const LONGEST_TITLE = 80;

/** The profile's, with those that the question names in their place. */
const limitsOf = (profile: RunLimits, own: RunLimits | undefined): RunLimits => ({ steps: own?.steps ?? profile.steps, tokens: own?.tokens ?? profile.tokens, money: own?.money ?? profile.money });

const questionMessage = (prompt: string, files: readonly AttachedFile[]): RunPlan['question'] => ({ role: 'user', content: [{ type: 'text', text: prompt.toWellFormed() }, ...files.map(({ part }) => part)] });

/** The runs of the built-in agent: begun, stopped, ended. */
export class AgentRunner {
  readonly #deps: AgentDeps;
  readonly #running = new Map<string, Running>();
  /** ended, but not on record yet */
  readonly #left = new Map<string, { readonly end: Ending; readonly work: OpenWork }>();

  readonly #pictures = new PictureRefusals();

  constructor(deps: AgentDeps) {
    this.#deps = deps;
  }

  /** Answers with the run at once, or when it has ended. Errors: invalid_request (/prompt), stopped (Stop all), no_model, not_found, conflict, secret_store_locked, store_write_failed. */
  async run(question: AgentQuestion): Promise<Result<{ runId: string; conversationId: string }, Fault>> {
    const { store, log } = this.#deps;
    if (withoutHiddenText(question.prompt).trim() === '') return err(fault('invalid_request', 'Nothing of this question can be seen.', { field: '/prompt', remedy: 'Write what you want to know or have done.' }));
    if (this.#deps.line.isStopped()) return err(fault('stopped', 'Everything is stopped. The model was not asked.', { remedy: 'Resume, then ask again.' }));
    const before = question.conversationId === undefined ? null : store.read((db) => getConversation(db, question.conversationId!));
    if (question.conversationId !== undefined && before === null) return err(fault('not_found', 'There is no such conversation.', { field: '/conversationId' }));
    if (before !== null && this.isBusy(before.id)) return err(fault('conflict', 'A question of this conversation is still being answered.', { field: '/conversationId', remedy: 'Wait for it, or stop it.', details: { state: 'running' } }));
    const profile = profileOf(question.profileId ?? before?.profileId ?? DEFAULT_PROFILE, store);
    if (!profile.ok) return { ok: false, error: { ...profile.error, field: '/profileId' } };
    const model = chooseModel(question.model, profile.value.modelId, this.#deps);
    if (!model.ok) return model;
    const files = attachFiles(question.attachments ?? [], model.value.provider);
    if (!files.ok) return files;
    const { principal } = profile.value;
    const attachments = (question.attachments ?? []).filter(isOfCapability);
    const fit = checkAttachments(attachments, this.#deps);
    if (!fit.ok) return fit;
    const conversationId = before?.id ?? orderedId(this.#deps.clock.now());
    this.#endLeft();
    const begun = this.#begun(conversationId, question, files.value, { principal, profileId: profile.value.id, modelId: model.value.id, model: model.value.model });
    if (!begun.ok) return begun;
    const runId = begun.value;
    const controller = new AbortController();
    const work = new OpenWork();
    const plan = {
      runId, principal, scope: question.scope ?? null, limits: limitsOf(profile.value.limits, question.limits), instructions: profile.value.instructions, prompt: question.goesOn?.asked ?? question.prompt,
      question: questionMessage(question.goesOn === undefined ? question.prompt : `${question.prompt}\n\n${question.goesOn.told}`, files.value), attachments, earlier: () => (before === null ? Promise.resolve(NO_QUESTIONS) : readEarlierRuns({ conversationId, runId, mostBytes: roomOf(model.value).bytes, model: model.value }, this.#deps)), model: model.value, signal: controller.signal, work, pictures: this.#pictures, stopCalls: () => {
        controller.abort();
        this.#stopCalls(runId);
      },
    };
    this.#deps.found.begin(runId, plan.scope);
    const agentRun = new AgentRun(plan, this.#deps);
    const done = agentRun
      .take()
      .catch((error: unknown): Ending => {
        log.error('agent run failed', { runId, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
        return { state: 'failed', code: storeFault(error)?.code ?? 'internal' };
      })
      .then((end) => this.#ended(runId, end, work))
      .finally(() => {
        this.#running.delete(runId);
        this.#deps.found.forget(runId);
        this.#deps.bus.emit('conversations:changed', { conversationId });
      });
    this.#running.set(runId, { conversationId, controller, budget: agentRun.budget, done });
    if (question.wait) await done;
    return ok({ runId, conversationId });
  }

  /**
   * Asks the model on where its last question was cut: a run of its own of the same conversation, as the same profile, model and scope. Nothing is sent again but by a call of the model's down the line.
   * Errors: as cutQuestion and run.
   */
  goOn({ runId, words, wait }: { readonly runId: string; readonly words: string; readonly wait: boolean }): ReturnType<AgentRunner['run']> {
    const cut = this.#deps.store.read((db) => cutQuestion(db, runId));
    return cut.ok ? this.run({ prompt: words, wait, ...cut.value }) : Promise.resolve(cut);
  }

  /** Closes the connection to the model and ends what waits; what is finished stays. Error: not_found. */
  stop(runId: string): Result<null, Fault> {
    const running = this.#running.get(runId);
    if (running === undefined) {
      const run = this.#deps.store.read((db) => getRun(db, runId));
      return run?.kind === 'agent' ? ok(null) : err(fault('not_found', 'There is no such agent run.', { field: '/runId' }));
    }
    running.controller.abort();
    this.#stopCalls(runId);
    return ok(null);
  }

  /** Stop all: every run that goes on ends as by `stop`; no model goes on because the calls of another run could not be read. */
  stopAll(): void {
    for (const { controller } of this.#running.values()) controller.abort();
    for (const runId of [...this.#running.keys()]) this.#stopCalls(runId);
  }

  /** What is under way ends known or unknown, what waits for a person is cancelled. */
  #stopCalls(runId: string): void {
    for (const { id, state } of this.#deps.store.read((db) => invocationsOfRun(db, runId))) if (state !== 'completed' && state !== 'failed') this.#deps.line.stop(id);
  }

  /** What a run that goes on may still spend. */
  budgetOf(runId: string): RunBudget | null {
    return this.#running.get(runId)?.budget ?? null;
  }

  /** Whether a question of this conversation is being answered. */
  isBusy(conversationId: string): boolean {
    return [...this.#running.values()].some((one) => one.conversationId === conversationId);
  }

  async close(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { controller } of running) controller.abort(GANTRY_CLOSES);
    // a call that waits for a person stays open in the store; its run is taken up or ended at the next start
    await Promise.race([Promise.allSettled(running.map((r) => r.done)), new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
    this.#endLeft();
  }

  /** A run with its question on record; one whose question cannot be written ends at once. Error: store_write_failed. */
  #begun(conversationId: string, question: AgentQuestion, files: readonly AttachedFile[], { principal, ...about }: RunFacts & { readonly principal: string }): Result<string, Fault> {
    let runId: string | null = null;
    try {
      runId = this.#deps.line.beginRun({ kind: 'agent', title: question.goesOn === undefined ? question.prompt : titleOfGoingOn(question.prompt, question.goesOn), principal }).id;
      this.#record(runId, conversationId, question, files, about);
      return ok(runId);
    } catch (error) {
      const cause = storeFault(error);
      if (runId !== null) this.#ended(runId, { state: 'failed', code: cause?.code ?? 'internal' }, new OpenWork());
      if (cause === null) throw error;
      return err({ ...cause, message: `${cause.message} The model was not asked.` });
    }
  }

  /** What cannot be written now is tried again before the next question and when Gantry closes; the next start ends it otherwise. */
  #ended(runId: string, end: Ending, work: OpenWork): void {
    const { line, log } = this.#deps;
    try {
      const open = work.list();
      if (open.length > 0) line.note(runId, open.map((piece): NewEvent => ({ type: 'work.open', invocationId: piece.invocationId, data: openPieceFacts(piece) })));
      line.endRun(runId, end);
      this.#left.delete(runId);
    } catch (error) {
      log.error('the end of an agent run could not be written yet', { runId, error: String(error) });
      this.#left.set(runId, { end, work });
    }
  }

  #endLeft(): void {
    for (const [runId, { end, work }] of [...this.#left]) this.#ended(runId, end, work);
  }

  /** The question and its place, in evidence and for the lists, in one transaction. */
  #record(runId: string, conversationId: string, { prompt, conversationId: known, scope, limits, goesOn }: AgentQuestion, files: readonly AttachedFile[], about: RunFacts): void {
    const { line, clock, bus, conceal } = this.#deps;
    const shown = conceal(prompt).toWellFormed();
    line.note(runId, [{ type: 'run.prompt', invocationId: null, data: { prompt, conversationId, ...about, ...(scope === undefined ? {} : { scope }), ...(limits === undefined ? {} : { limits }), ...(goesOn === undefined ? {} : { goesOn: { ...goesOn } }), attachments: files.map(({ part: _part, ...file }) => file) } }], (db) => {
      if (known === undefined) insertConversation(db, { id: conversationId, title: withoutHiddenText(shown.slice(0, 10 * LONGEST_TITLE)).replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE).toWellFormed() || '…', profileId: about.profileId, createdAt: clock.now() });
      else touchConversation(db, conversationId, clock.now());
      insertAgentRun(db, { runId, conversationId, ...about, prompt: shown });
    });
    bus.emit('conversations:changed', { conversationId });
  }
}
