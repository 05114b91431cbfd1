import { fault, type Fault } from '../../shared/fault.ts';
import type { SamplingModelChoice, SamplingReply, SamplingRequest } from '../../shared/question.ts';
import { err, type Result } from '../../shared/result.ts';
import { sha256Hex } from '../capabilities/fingerprint.ts';
import type { Outbound } from '../network/outbound.ts';
import type { SamplingAsk, SamplingModel } from '../questions/sampling-model.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { getModel, listModels } from '../store/models.ts';
import { withKey, type ChosenModel } from './choose-model.ts';
import type { ModelFault } from './model-adapter.ts';
import { SamplingBudget, type SamplingBudgetDeps } from './sampling/sampling-budget.ts';
import { SamplingPrompt } from './sampling/sampling-prompt.ts';
import { samplingReply } from './sampling/sampling-reply.ts';
import { broughtTools, type BroughtTools } from './sampling/sampling-tools.ts';
import { usageOf } from './usage.ts';

export interface SamplingDeps extends SamplingBudgetDeps {
  readonly secrets: Pick<Secrets, 'reveal'>;
  readonly outbound: Outbound;
  /** hides known secret values */
  readonly mask: (text: string) => string;
}

const notRecorded = (): Fault => fault('store_write_failed', 'What the model is asked could not be recorded; it was not asked.', { remedy: 'Make the data folder writable, then ask again.' });
const shown = ({ code, message, field, remedy, details }: Fault): Fault => ({ code, message, ...(field === undefined ? {} : { field }), ...(remedy === undefined ? {} : { remedy }), ...(details === undefined ? {} : { details }) });

/** Asks the person's models what a server wants to be asked (sampling): that request alone, within what a server may take, on the record of its call. */
export class Sampling implements SamplingModel {
  readonly #deps: SamplingDeps;

  constructor(deps: SamplingDeps) {
    this.#deps = deps;
  }

  models(): readonly SamplingModelChoice[] {
    return this.#deps.store.read(listModels).map(({ id, label, model, provider }) => ({ id, title: label === '' ? model : label, provider, tools: true }));
  }

  async ask(request: SamplingRequest, of: SamplingAsk): Promise<Result<SamplingReply, Fault>> {
    const row = this.#deps.store.read((db) => getModel(db, of.modelId));
    if (row === null) return err(fault('no_model', 'The chosen model is not there any more.', { remedy: 'Choose another.' }));
    const model = withKey(row, this.#deps.secrets);
    if (!model.ok) return model;
    const tools = broughtTools(request.tools, model.value.routeId);
    if (!tools.ok) return tools;
    const asked = await this.#asked(request, of, model.value, tools.value);
    return asked.ok ? asked : err(shown(asked.error));
  }

  async #asked(request: SamplingRequest, of: SamplingAsk, model: ChosenModel, tools: BroughtTools): Promise<Result<SamplingReply, Fault>> {
    const { outbound, mask } = this.#deps;
    const { questionId, serverId, runId, signal } = of;
    const prompt = new SamplingPrompt(model, tools).of(request);
    if (!prompt.ok) return prompt;
    const budget = new SamplingBudget(this.#deps, { serverId, runId, maxTokens: request.maxTokens }, model);
    const admit = (text: string): Fault | null => {
      const refused = budget.admit(text);
      if (refused !== null) return refused;
      if (of.record({ type: 'question.model_request', data: { questionId, serverId, model: model.model, modelId: model.id, route: model.routeId, maxTokens: budget.maxOutput, request: text, requestSha256: sha256Hex(text) } })) return null;
      budget.release();
      return notRecorded();
    };
    const { askModel } = await import('./model-adapter.ts');
    const answer = await askModel(model, {
      prompt: prompt.value, tools: tools.shown, toolChoice: request.toolChoice?.mode, temperature: request.temperature, stopSequences: request.stopSequences, maxOutputTokens: budget.maxOutput, signal, mask, outbound, admit,
      onText: (text) => of.onDelta?.(text),
    });
    if (!answer.ok) {
      if (mayHaveWorked(answer.error, signal)) budget.chargeWorst();
      else budget.release();
      return answer;
    }
    const usage = usageOf(answer.value, model);
    budget.charge(usage);
    const { content, finish } = answer.value;
    const isKept = of.record({ type: 'question.model_reply', data: { questionId, serverId, model: model.model, content: content.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : { type: 'tool_use', id: part.toolCallId, name: part.toolName, argumentsText: part.input })), finish: finish.raw ?? finish.unified, usage: { ...usage } } });
    if (!isKept) return err(fault('store_write_failed', 'The reply of the model could not be recorded; it goes nowhere.', { remedy: 'Make the data folder writable, then ask again.' }));
    return samplingReply(answer.value, tools, model.model);
  }
}

/** A provider may have written something before it was broken off. */
const mayHaveWorked = ({ exchange }: ModelFault, signal: AbortSignal): boolean => exchange !== null && (exchange.status === 200 || (exchange.status === null && signal.aborted));
