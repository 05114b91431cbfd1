import { isObject } from '../../shared/is-object.ts';
import { mendedLines, parsed, type JsonObject } from './mended-lines.ts';
import { isBlank, NAMELESS } from './nameless-calls.ts';

/** Of OpenAI Responses: a function call item as its library takes it, whatever its model left out. Arguments that are no text are told as what they are: they are refused where they are judged. */
const wholeItem = (item: JsonObject, place: unknown, known: JsonObject = {}): JsonObject => {
  const of = (name: string): unknown => (name === 'name' && isBlank(item[name]) ? known[name] : (item[name] ?? known[name]));
  const args = of('arguments');
  return {
    ...item,
    id: typeof of('id') === 'string' ? of('id') : `fc_gantry_${String(place)}`,
    call_id: typeof of('call_id') === 'string' ? of('call_id') : '',
    name: isBlank(of('name')) ? NAMELESS : of('name'),
    arguments: typeof args === 'string' ? args : args === undefined || args === null ? '' : JSON.stringify(args),
  };
};

const isWhole = (item: JsonObject): boolean => ['id', 'call_id', 'arguments'].every((name) => typeof item[name] === 'string') && !isBlank(item['name']);
const isCallItem = (item: unknown): item is JsonObject => isObject(item) && item['type'] === 'function_call';

/** The items of one streamed reply. */
class ResponsesItems {
  /** by output index: what was told of it so far */
  readonly #known = new Map<unknown, { item: JsonObject; text: string; isWhole: boolean }>();

  /** A line of the stream; the same one where there is nothing to mend. */
  line(line: string): string {
    if (!line.startsWith('data:') || !line.includes('function_call')) return line;
    const event = parsed(line.slice(5));
    if (!isObject(event)) return line;
    const { type, item, output_index: place } = event;
    if (type === 'response.function_call_arguments.delta' || type === 'response.function_call_arguments.done') return this.#part(line, event);
    if (!isCallItem(item) || (type !== 'response.output_item.added' && type !== 'response.output_item.done')) return line;
    const before = this.#known.get(place);
    const heard = before === undefined ? {} : { ...before.item, ...(before.isWhole || before.text !== '' ? { arguments: before.text } : {}) };
    if (type === 'response.output_item.added') this.#known.set(place, { item: Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'arguments')), text: '', isWhole: false });
    if (isWhole(item) && (type === 'response.output_item.added' || item['status'] !== undefined)) return line;
    const whole = { ...wholeItem(item, place, heard), ...(type === 'response.output_item.done' && item['status'] === undefined ? { status: 'completed' } : {}) };
    return `data: ${JSON.stringify({ ...event, item: whole })}`;
  }

  #part(line: string, event: JsonObject): string {
    const known = this.#known.get(event['output_index']);
    if (known !== undefined && typeof event['delta'] === 'string') known.text += event['delta'];
    if (known !== undefined && typeof event['arguments'] === 'string') Object.assign(known, { text: event['arguments'], isWhole: true });
    if (typeof event['item_id'] === 'string') return line;
    return `data: ${JSON.stringify({ ...event, item_id: `fc_gantry_${String(event['output_index'])}` })}`;
  }
}

/** A streamed reply of OpenAI Responses with an id, a name and a call id in every call. */
export const withWholeItems = (): TransformStream<Uint8Array, Uint8Array> => {
  const items = new ResponsesItems();
  return mendedLines((line) => items.line(line));
};

/** The same of a whole reply. */
export const wholeWithWholeItems = (replyText: string): string => {
  const reply = replyText.includes('function_call') ? parsed(replyText) : null;
  const items = isObject(reply) ? reply['output'] : null;
  if (!isObject(reply) || !Array.isArray(items) || items.every((item) => !isCallItem(item) || isWhole(item))) return replyText;
  return JSON.stringify({ ...reply, output: items.map((item, place) => (isCallItem(item) ? wholeItem(item, place) : item)) });
};
