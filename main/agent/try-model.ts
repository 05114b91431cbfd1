import type { LanguageModelV3FunctionTool, LanguageModelV3Message } from '@ai-sdk/provider';
import { fault, type Fault } from '../../shared/fault.ts';
import { MODEL_TEST_STEPS, type ModelTest } from '../../shared/model.ts';
import { setByPerson } from '../network/address-guard.ts';
import { networkFault } from '../network/network-fault.ts';
import type { Outbound } from '../network/outbound.ts';
import { speaksAnthropic } from '../capabilities/routes/route-of.ts';
import type { ChosenModel } from './choose-model.ts';
import { modelFault } from './model-fault.ts';
import type { ModelReply } from './model-adapter.ts';
import { leadsElsewhere, REDIRECTS, unreachable } from './unreachable.ts';
import { usageOf } from './usage.ts';

export interface TryModelDeps {
  readonly outbound: Outbound;
  readonly mask: (text: string) => string;
  /** ms */
  readonly monotonic: () => number;
}

type Step = (typeof MODEL_TEST_STEPS)[number];

const TEST_MS = 60_000;
const MOST_OFFERED = 200;
const LONGEST_LIST_BYTES = 2_097_152;
const PING: LanguageModelV3FunctionTool = { type: 'function', name: 'gantry_test', description: 'Call this tool once, with no arguments, to show that tools can be called.', inputSchema: { type: 'object', properties: {} } };
const QUESTION: readonly LanguageModelV3Message[] = [{ role: 'user', content: [{ type: 'text', text: 'This is a connection test. Call the tool gantry_test now, without any other words.' }] }];
const ABOUT_TOOLS = /tool|function/i;

const ended = (failedAt: Step | null, why: Fault | null, more: Pick<ModelTest, 'answer' | 'offered'>): ModelTest => {
  const at = failedAt === null ? MODEL_TEST_STEPS.length : MODEL_TEST_STEPS.indexOf(failedAt);
  return { ok: failedAt === null, steps: MODEL_TEST_STEPS.map((step, i) => ({ step, state: i < at ? 'ok' : i === at ? 'failed' : 'not_tried', fault: i === at ? why : null })), ...more };
};

const shownFault = ({ code, message, field, remedy, details }: Fault): Fault => ({ code, message, field, remedy, details });

/** Where each refusal belongs. */
const stepOf = ({ code }: Fault): Step => (code === 'model_key_refused' ? 'key' : code === 'model_unknown' ? 'model' : code === 'model_no_tools' ? 'tools' : 'answer');

const namesIn = (text: string, mask: TryModelDeps['mask']): string[] | null => {
  try {
    const { data } = JSON.parse(text) as { data?: unknown };
    if (!Array.isArray(data)) return null;
    return data.flatMap((one) => (typeof one === 'object' && one !== null && typeof (one as { id?: unknown }).id === 'string' ? [mask((one as { id: string }).id).slice(0, 200).toWellFormed()] : [])).slice(0, MOST_OFFERED);
  } catch {
    return null;
  }
};

/** The list of models that both protocols have at the same place; it shows whether the address answers and takes the key, and costs nothing. */
const listed = async ({ provider, baseUrl, key }: ChosenModel, { outbound, mask }: TryModelDeps, signal: AbortSignal): Promise<{ readonly status: number; readonly offered: string[] | null; readonly elsewhere: Fault | null }> => {
  const client = outbound.client('model', { guard: setByPerson([baseUrl]) });
  const headers: Record<string, string> = key === null ? {} : speaksAnthropic(provider) ? { 'x-api-key': key, 'anthropic-version': '2023-06-01' } : { authorization: `Bearer ${key}` };
  try {
    const address = `${baseUrl.replace(/\/+$/, '')}/models`;
    const response = await client.fetch(address, { headers, redirect: 'manual', signal });
    if (REDIRECTS.has(response.status)) {
      await response.body?.cancel();
      return { status: response.status, offered: null, elsewhere: leadsElsewhere(response.status, response.headers.get('location'), address, mask) };
    }
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (text.length > LONGEST_LIST_BYTES) break;
    }
    return { status: response.status, offered: response.ok ? namesIn(text, mask) : null, elsewhere: null };
  } finally {
    await client.close();
  }
};

/** A model is asked as a turn asks it, once, with one tool that does nothing. Never rejects for what it finds. */
export const tryModel = async (model: ChosenModel, deps: TryModelDeps): Promise<ModelTest> => {
  const signal = AbortSignal.timeout(TEST_MS);
  let offered: string[] | null = null;
  try {
    const list = await listed(model, deps, signal);
    offered = list.offered;
    if (list.elsewhere !== null) return ended('reach', shownFault(list.elsewhere), { answer: null, offered });
    if (list.status === 401) return ended('key', fault('model_key_refused', `The model's provider refuses the key (${list.status}).`, { remedy: 'Enter a valid key in the model settings.', details: { status: list.status } }), { answer: null, offered });
  } catch (error) {
    const origin = new URL(model.baseUrl).origin;
    const why = networkFault(error, origin) ?? unreachable(error, model.baseUrl, TEST_MS) ?? unknownReason(error, origin, deps.mask);
    return ended('reach', shownFault(why), { answer: null, offered });
  }
  const { askModel } = await import('./model-adapter.ts');
  const ask = (tools: readonly LanguageModelV3FunctionTool[]) => askModel(model, { prompt: QUESTION, tools, signal, mask: deps.mask, outbound: deps.outbound });
  const begun = deps.monotonic();
  const answerOf = (reply: ModelReply): ModelTest['answer'] => ({ ms: Math.round(deps.monotonic() - begun), usage: usageOf(reply, model), text: deps.mask(reply.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')).slice(0, 500).toWellFormed() });
  const first = await ask([PING]);
  if (first.ok) {
    const called = first.value.content.some((part) => part.type === 'tool-call');
    const why = called ? null : fault('model_no_tools', 'The model answered but did not call the tool that it was asked to call.', { remedy: 'Choose a model that can call tools.' });
    return ended(called ? null : 'tools', why, { answer: answerOf(first.value), offered });
  }
  const late = signal.aborted ? unreachable(signal.reason, model.baseUrl, TEST_MS) : null;
  if (late !== null) return ended('answer', shownFault(late), { answer: null, offered });
  const words = String(first.error.details?.['providerSays'] ?? '');
  const status = first.error.details?.['status'];
  if ((status === 400 || status === 404 || status === 422) && ABOUT_TOOLS.test(words)) {
    const bare = await ask([]);
    if (bare.ok) return ended('tools', fault('model_no_tools', 'The provider refuses tools for this model.', { remedy: 'Choose a model that can call tools.', details: { status, providerSays: words } }), { answer: answerOf(bare.value), offered });
  }
  return ended(stepOf(first.error), shownFault(first.error), { answer: null, offered });
};

const unknownReason = (error: unknown, origin: string, mask: (text: string) => string): Fault => {
  const cause = (error as { cause?: { code?: unknown } } | null)?.cause?.code;
  const { message, details, remedy } = modelFault(error, mask);
  return fault('connection_failed', `${origin} could not be reached: ${message}`, { remedy: remedy!, details: { ...details, ...(typeof cause === 'string' ? { cause } : {}) } });
};
