import { idOfPlace } from './nameless-blocks.ts';

/** The end of the JSON value that begins at `from`; texts are stepped over whole. The text is known to be JSON. */
const endOfValue = (text: string, from: number): number => {
  if (text[from] === '"') {
    let at = from + 1;
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    return at + 1;
  }
  if (text[from] !== '{' && text[from] !== '[') {
    let at = from;
    while (at < text.length && !/[\s,\]}]/.test(text[at]!)) at += 1;
    return at;
  }
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const char = text[at]!;
    if (char === '"') {
      at = endOfValue(text, at);
      continue;
    }
    at += 1;
    if (char === '{' || char === '[') depth += 1;
    else if ((char === '}' || char === ']') && (depth -= 1) === 0) return at;
  }
  return at;
};

const skip = (text: string, from: number, what: RegExp): number => {
  let at = from;
  while (at < text.length && what.test(text[at]!)) at += 1;
  return at;
};

/** Members of an object, or items of a list, as their own text. */
function* parts(text: string): Generator<readonly [string, string]> {
  const isObject = text[0] === '{';
  let at = 1;
  for (let n = 0; ; n += 1) {
    at = skip(text, at, /[\s,]/);
    if (at >= text.length - 1) return;
    let key = String(n);
    if (isObject) {
      const end = endOfValue(text, at);
      key = JSON.parse(text.slice(at, end)) as string;
      at = skip(text, end, /[\s:]/);
    }
    const end = endOfValue(text, at);
    yield [key, text.slice(at, end)];
    at = end;
  }
}

const member = (text: string, name: string): string | undefined => {
  let found: string | undefined;
  for (const [key, value] of text.startsWith('{') ? parts(text) : []) if (key === name) found = value;
  return found;
};

const idOf = (block: string, place: unknown): string => {
  const id = JSON.parse(member(block, 'id') ?? 'null') as unknown;
  return typeof id === 'string' ? id : idOfPlace(place);
};

/**
 * The arguments of each call as the model wrote them: a protocol that carries them as JSON, and not as text, has had its numbers rounded by whoever parsed
 * the reply (Anthropic Messages: `content[].input`). In the order of the calls; empty where the reply is another one.
 */
export const rawArguments = (replyText: string): readonly { readonly id: string; readonly text: string }[] => {
  const content = member(replyText.trim(), 'content');
  if (content === undefined || !content.startsWith('[')) return [];
  return [...parts(content)].flatMap(([place, block]) => {
    const input = member(block, 'input');
    if (member(block, 'type') !== '"tool_use"' || input === undefined) return [];
    return [{ id: idOf(block, place), text: input }];
  });
};

/** The same of a reply that came as server-sent events, where a whole input stands in the event that begins a block; parts of texts are exact as they are. */
export const rawStreamedArguments = (replyText: string): readonly { readonly id: string; readonly text: string }[] =>
  replyText.split(/\r\n|\r|\n/).flatMap((line) => {
    if (!line.startsWith('data:') || !line.includes('content_block_start') || !line.includes('tool_use')) return [];
    const block = member(line.slice(5).trim(), 'content_block');
    const input = block === undefined ? undefined : member(block, 'input');
    if (block === undefined || input === undefined || /^\{\s*\}$/.test(input)) return [];
    return [{ id: idOf(block, member(line.slice(5).trim(), 'index')), text: input }];
  });
