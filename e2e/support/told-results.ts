import type { ScriptedModel } from '../fixtures/model/scripted-model.ts';
import type { Scenario } from './case-play.ts';

/** One tool result as the model got it, read from the captured request. */
export interface ToldResult {
  readonly text: string;
  readonly isError: boolean;
  /** its first line */
  readonly head: Record<string, unknown>;
  /** its last line that is JSON of the server's; null where there is none */
  readonly body: unknown;
  readonly images: readonly { readonly media_type: string; readonly data: string }[];
}

type Block = Readonly<Record<string, unknown>>;
const blocks = (value: unknown): Block[] => (Array.isArray(value) ? (value as Block[]) : []);

const read = (text: string, isError: boolean, images: ToldResult['images']): ToldResult => {
  const lines = text.split('\n');
  const body = lines.slice(1).find((line) => line.startsWith('{'));
  return { text, isError, images, head: JSON.parse(lines[0]!) as Record<string, unknown>, body: body === undefined ? null : JSON.parse(body) };
};

/** The results of the last request, by each protocol, in order. */
export const resultsIn = (model: ScriptedModel, request = -1): ToldResult[] =>
  model.accepted.at(request)!.messages.flatMap((message) => {
    if (message['type'] === 'function_call_output') {
      const parts = blocks(message['output']);
      const text = typeof message['output'] === 'string' ? message['output'] : parts.flatMap((one) => (one['type'] === 'input_text' ? [String(one['text'])] : [])).join('\n');
      const urls = parts.flatMap((one) => (typeof one['image_url'] === 'string' ? [one['image_url']] : typeof one['file_data'] === 'string' ? [one['file_data']] : []));
      return [read(text, false, urls.map((url) => ({ media_type: url.slice(5, url.indexOf(';')), data: url.slice(url.indexOf(',') + 1) })))];
    }
    if (message['role'] === 'tool') return [read(String(message['content']), false, [])];
    return blocks(message['content']).filter((block) => block['type'] === 'tool_result').map((block) => {
      const { content } = block;
      const text = typeof content === 'string' ? content : blocks(content).flatMap((one) => (one['type'] === 'text' ? [String(one['text'])] : [])).join('\n');
      const images = blocks(content).filter((one) => one['type'] === 'image' || one['type'] === 'document').map(({ source }) => ({ media_type: (source as Block)['media_type'] as string, data: (source as Block)['data'] as string }));
      return read(text, block['is_error'] === true, images);
    });
  });

/** The scenario with another answer to tools/call. */
export const replying = (scenario: Scenario, reply: unknown): Scenario => ({ ...scenario, script: [{ on: 'tools/call', do: [{ reply }] }] });
