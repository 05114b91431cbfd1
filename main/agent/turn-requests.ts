import type { LanguageModelV3FunctionTool, LanguageModelV3Message } from '@ai-sdk/provider';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, type Result } from '../../shared/result.ts';
import { ROUTES } from '../capabilities/routes/profiles.ts';
import type { AgentDeps } from './agent-deps.ts';
import type { AgentTurn } from './agent-turn.ts';
import { askPatiently, pauseFor } from './ask-patiently.ts';
import { wentUnanswered, type AskFault } from './asking.ts';
import { bytesOf, fitInto, leftOutText, roomOf, type FittedHistory, type HistoryRoom } from './conversation-history.ts';
import { DeltaTeller } from './delta-teller.ts';
import { mediaBytes, withoutMedia } from './history.ts';
import { systemText } from './instructions.ts';
import { refusesMedia, takesNoPictures } from './media-refusal.ts';
import type { ModelReply } from './model-adapter.ts';
import type { SentTurn } from './record-turn.ts';
import { asFunctionTool, type ExposedTool } from './exposed-tool.ts';
import { usageOf } from './usage.ts';

/** Where a history holds calls and no tool is left, some providers still want one named. */
const NO_TOOL = { type: 'function' as const, name: 'no_tool_is_available', description: 'No tool can be used now. Do not call this.', inputSchema: { type: 'object' as const, properties: {} } };
const TOO_LONG = /context[_ ](?:length|window)|maximum context|too many (?:input )?tokens|prompt is too long|input (?:is|length).{0,40}(?:too long|exceed)|exceeds? the (?:model's )?(?:context|maximum)|上下文|超出.{0,10}长度/i;

const unsent = (why: Fault): AskFault => ({ ...why, exchange: null, partialText: '', retryAfterMs: null });
const isTooLong = ({ details }: Fault): boolean => {
  const status = details?.['status'];
  return (status === 400 || status === 413 || status === 422) && TOO_LONG.test(String(details?.['providerSays'] ?? ''));
};

/** The requests of one turn: fitted to the model, counted against the run's limits, asked again where that may help. */
export class TurnRequests {
  readonly #turn: AgentTurn;
  readonly #deps: AgentDeps;
  /** as the provider takes it: without media that it refused */
  #current: readonly LanguageModelV3Message[];
  #room: HistoryRoom;
  #history: SentTurn['history'];
  #tools: readonly ExposedTool[] = [];
  #told = '';
  #attempt = 0;

  constructor(turn: AgentTurn, deps: AgentDeps) {
    this.#turn = turn;
    this.#deps = deps;
    this.#current = turn.current;
    this.#room = roomOf(turn.model);
    this.#history = { bytes: 0, mostBytes: this.#room.bytes, leftOut: { questions: 0, results: 0 } };
  }

  get current(): readonly LanguageModelV3Message[] {
    return this.#current;
  }

  /** What the last request carried of tools. */
  get tools(): readonly ExposedTool[] {
    return this.#tools;
  }

  /** What the last request carried of the conversation. */
  get history(): SentTurn['history'] {
    return this.#history;
  }

  /** With these tools; without media, or with less of the conversation, where the provider wants it so. */
  async ask(tools: readonly ExposedTool[]): Promise<Result<ModelReply, AskFault>> {
    const first = await this.#askFitted(tools);
    if (first.ok) return first;
    if (isTooLong(first.error)) {
      const sent = first.error.exchange?.requestText.length ?? 0;
      this.#room = { bytes: Math.floor(Math.min(this.#room.bytes, sent) * 0.6), isSet: true };
      return this.#askFitted(tools);
    }
    if (mediaBytes(this.#current) === 0 || !refusesMedia(first.error)) return first;
    // one picture that a provider refuses would refuse every later request of this run
    const before = this.#current;
    this.#current = withoutMedia(before);
    const again = await this.#askFitted(tools);
    if (!again.ok) {
      this.#current = before;
      return again;
    }
    if (takesNoPictures(String(first.error.details?.['providerSays'] ?? ''))) this.#turn.pictures.heard(this.#turn.model);
    this.#note('turn.without_media', { status: first.error.details?.['status'], providerSays: first.error.details?.['providerSays'] });
    return again;
  }

  async #askFitted(exposed: readonly ExposedTool[]): Promise<Result<ModelReply, AskFault>> {
    const { model, earlier, instructions } = this.#turn;
    this.#tools = exposed;
    const shown = exposed.map(asFunctionTool);
    const hasCalls = this.#current.some((message) => message.role === 'tool') || earlier.runs.some((run) => run.resultCount > 0);
    const tools = shown.length === 0 && hasCalls && ROUTES[model.routeId].toolsWithHistory ? [NO_TOOL] : shown;
    const overhead = Buffer.byteLength(JSON.stringify(tools)) + Buffer.byteLength(instructions) + 2_000;
    const fitted = fitInto(this.#room, overhead, earlier, this.#current);
    if (fitted === null) return err(unsent(fault('context_full', 'The question does not fit what the model can read at once, even after earlier content was left out.', { remedy: 'Ask for less, or use a model with a larger context.', details: { bytes: bytesOf(this.#current) + overhead } })));
    this.#history = { bytes: bytesOf(fitted.messages), mostBytes: this.#room.bytes, leftOut: fitted.leftOut };
    this.#tellLeftOut(fitted);
    const prompt: LanguageModelV3Message[] = [{ role: 'system', content: systemText(instructions, leftOutText(fitted.leftOut)) }, ...fitted.messages];
    return this.#askPatiently(prompt, tools);
  }

  #askPatiently(prompt: readonly LanguageModelV3Message[], tools: readonly LanguageModelV3FunctionTool[]): Promise<Result<ModelReply, AskFault>> {
    const { model, signal, budget, runId, turn } = this.#turn;
    const { mask, outbound, bus } = this.#deps;
    const estimatedBytes = bytesOf(prompt) + Buffer.byteLength(JSON.stringify(tools)) + 500;
    const once = async (): Promise<Result<ModelReply, AskFault>> => {
      this.#attempt += 1;
      const delta = new DeltaTeller(bus, { runId, turn, attempt: this.#attempt });
      const maxOutputTokens = budget.maxOutput(estimatedBytes);
      const answer = await this.#turn.askModel(model, { prompt, tools, signal, mask, outbound, maxOutputTokens, admit: (text) => budget.admit(text, maxOutputTokens), onText: (text) => delta.hear(text) });
      delta.tell();
      if (answer.ok) budget.charge(usageOf(answer.value, model));
      else if (wentUnanswered(answer.error)) budget.chargeBroken(answer.error.partialText);
      return answer;
    };
    return askPatiently(once, {
      signal, pause: pauseFor, random: Math.random,
      onRetry: ({ tries, waitMs, asked, why }) => this.#note('turn.retry', { tries, waitMs, asked, code: why.code, status: why.details?.['status'] ?? null, message: why.message }),
    });
  }

  /** Once for each other amount. */
  #tellLeftOut({ leftOut }: FittedHistory): void {
    const now = JSON.stringify(leftOut);
    if (leftOut.questions + leftOut.results === 0 || now === this.#told) return;
    this.#told = now;
    this.#note('history.compacted', { ...leftOut });
  }

  #note(type: 'turn.retry' | 'turn.without_media' | 'history.compacted', data: Readonly<Record<string, unknown>>): void {
    this.#deps.line.note(this.#turn.runId, [{ type, invocationId: null, data: { turn: this.#turn.turn, ...data } }]);
  }
}
