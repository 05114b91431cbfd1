import type { LanguageModelV3ToolCall } from '@ai-sdk/provider';
import { fault, type Fault } from '../../../shared/fault.ts';
import { isObject } from '../../../shared/is-object.ts';
import type { SamplingReply } from '../../../shared/question.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { applyUndo } from '../../capabilities/routes/undo.ts';
import { callsOf } from '../history.ts';
import type { ModelReply } from '../model-adapter.ts';
import type { BroughtTools } from './sampling-tools.ts';

type Block = SamplingReply['content'][number];

const failed = (message: string): Result<never, Fault> => err(fault('model_failed', message, { remedy: 'Ask again, or choose another model.' }));

const readInput = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
};

/** Why a model ended, in the words of sampling. */
const stopReasonOf = ({ unified, raw }: ModelReply['finish']): string => {
  if (raw === 'stop_sequence') return 'stopSequence';
  if (unified === 'stop') return 'endTurn';
  if (unified === 'length') return 'maxTokens';
  return unified === 'tool-calls' ? 'toolUse' : (raw ?? unified);
};

/** A model's reply in the server's terms: its words, and the tools that it wants the server to run, by the server's own names. Error: model_failed. */
export const samplingReply = ({ content, finish, end }: Pick<ModelReply, 'content' | 'finish' | 'end'>, tools: BroughtTools, model: string): Result<SamplingReply, Fault> => {
  // a reply that its model did not end calls nothing, however whole its calls look
  const calls = callsOf((end === 'ended' ? content : []).filter((part): part is LanguageModelV3ToolCall => part.type === 'tool-call'), 1);
  const blocks: Block[] = content.flatMap((part) => (part.type === 'text' && part.text !== '' ? [{ type: 'text', text: part.text.toWellFormed() }] : []));
  for (const { id, name, inputText } of calls) {
    const tool = tools.byName.get(name);
    if (tool === undefined) return failed('The model wants a tool that it was not offered.');
    const input = readInput(inputText);
    if (input === null) return failed('The model wrote no usable input for a tool.');
    blocks.push({ type: 'tool_use', id, name: tool.name, input: applyUndo(input, tool.rendering.undo, 'values', []) });
  }
  if (blocks.length === 0) return failed('The model answered nothing.');
  return ok({ role: 'assistant', content: blocks, model, stopReason: stopReasonOf(finish) });
};
