import type { LanguageModelV3Message, LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import type { Isolation } from '../calls/run-isolations.ts';
import { failureWords } from './source-words.ts';

/** What a model is told of sources that left its run. */
export const isolationText = (isolations: readonly Isolation[]): string =>
  isolations.map(({ serverId, why }) => `(Gantry, not a tool: the source ${JSON.stringify(serverId)} failed and did not come back. ${failureWords(why)} It is not used again in this run, and its tools are left out. The other tools still work.)`).join('\n');

type Output = LanguageModelV3ToolResultPart['output'];

const noticed = (output: Output, notice: string): Output => {
  if (output.type === 'text' || output.type === 'error-text') return { ...output, value: `${output.value}\n\n${notice}` };
  return output.type === 'content' ? { ...output, value: [...output.value, { type: 'text', text: notice }] } : output;
};

/** The host's own word, with the last result of a turn: some providers allow no message of the user between results and the model's next turn. */
export const withNotice = (message: LanguageModelV3Message, notice: string): LanguageModelV3Message => {
  const last = message.role === 'tool' ? message.content.at(-1) : undefined;
  if (message.role !== 'tool' || last?.type !== 'tool-result') return message;
  return { ...message, content: [...message.content.slice(0, -1), { ...last, output: noticed(last.output, notice) }] };
};
