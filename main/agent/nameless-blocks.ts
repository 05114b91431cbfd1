import { isObject } from '../../shared/is-object.ts';
import { mendedLines, parsed, type JsonObject } from './mended-lines.ts';
import { isBlank, NAMELESS } from './nameless-calls.ts';

/** Of a call whose model gave it none: its place in the reply. */
export const idOfPlace = (place: unknown): string => `gantry_${String(place)}`;

const isCallBlock = (block: unknown): block is JsonObject => isObject(block) && block['type'] === 'tool_use';
const isWhole = (block: JsonObject): boolean => typeof block['id'] === 'string' && !isBlank(block['name']) && (block['input'] === undefined || isObject(block['input']));

/** Of Anthropic Messages: a call as its library takes it. Its arguments are read from the reply as it came (`rawArguments`). */
const wholeBlock = (block: JsonObject, place: unknown): JsonObject => ({
  ...block,
  id: typeof block['id'] === 'string' ? block['id'] : idOfPlace(place),
  name: isBlank(block['name']) ? NAMELESS : block['name'],
  input: isObject(block['input']) ? block['input'] : {},
});

/** A streamed reply of Anthropic Messages with an id and a name in every call. */
export const withWholeBlocks = (): TransformStream<Uint8Array, Uint8Array> =>
  mendedLines((line) => {
    if (!line.startsWith('data:') || !line.includes('tool_use') || !line.includes('content_block_start')) return line;
    const event = parsed(line.slice(5));
    const block = isObject(event) ? event['content_block'] : null;
    if (!isObject(event) || !isCallBlock(block) || isWhole(block)) return line;
    return `data: ${JSON.stringify({ ...event, content_block: wholeBlock(block, event['index']) })}`;
  });

/** The same of a whole reply. */
export const wholeWithWholeBlocks = (replyText: string): string => {
  const reply = replyText.includes('tool_use') ? parsed(replyText) : null;
  if (!isObject(reply) || !Array.isArray(reply['content'])) return replyText;
  const blocks = reply['content'] as unknown[];
  if (blocks.every((block) => !isCallBlock(block) || isWhole(block))) return replyText;
  return JSON.stringify({ ...reply, content: blocks.map((block, place) => (isCallBlock(block) ? wholeBlock(block, place) : block)) });
};
