import { isObject } from '../../shared/is-object.ts';

/** One block of content as the server sent it; only what is named is judged. */
export type Block = Readonly<Record<string, unknown>>;

export interface ShapedResult {
  readonly content: readonly Block[];
  readonly structured: { readonly value: unknown } | null;
  readonly isError: boolean;
  readonly extra: Readonly<Record<string, unknown>>;
  /** where the protocol is broken; what could be read is in `content` all the same */
  readonly problem: { readonly pointer: string; readonly message: string } | null;
  readonly notes: readonly string[];
}

/** Protocol members, which are not business data. `_meta` is not content (design section 5). */
const PROTOCOL_MEMBERS = new Set(['content', 'structuredContent', 'isError', '_meta', 'resultType', 'toolResult', 'ttlMs', 'cacheScope']);
const DEEPEST_RESULT = 200;

/** Pointer-less but cheap: true when any path is longer than the limit. Does not recurse, so that a hostile nesting cannot end the host. */
export const tooDeep = (root: unknown): boolean => {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST_RESULT) return true;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const member of Array.isArray(value) ? value : Object.values(value)) if (typeof member === 'object' && member !== null) next.push(member);
    }
    level = next;
  }
  return false;
};

/** What each known block type must carry, as [member, type]. Unknown types are kept: revisions add some. */
const NEEDS: Readonly<Record<string, readonly string[]>> = { text: ['text'], image: ['data', 'mimeType'], audio: ['data', 'mimeType'], resource_link: ['uri'] };

const blockProblem = (block: Block): { readonly member: string; readonly message: string } | null => {
  const type = block['type'];
  if (typeof type !== 'string') return { member: '/type', message: 'a block has no type' };
  for (const member of Object.hasOwn(NEEDS, type) ? (NEEDS[type] ?? []) : []) {
    if (typeof block[member] !== 'string') return { member: `/${member}`, message: `a block of type ${type} has no ${member}` };
  }
  if (type === 'resource') {
    const resource = block['resource'];
    if (!isObject(resource) || typeof resource['uri'] !== 'string') return { member: '/resource', message: 'an embedded resource has no uri' };
  }
  return null;
};

/** `_meta` of a block and of an embedded resource is left out as well. */
const withoutMeta = (block: Block): Block => {
  const { _meta, ...kept } = block;
  return isObject(kept['resource']) && '_meta' in kept['resource'] ? { ...kept, resource: withoutMeta(kept['resource']) } : kept;
};

/** Blocks of content, each judged by itself; `problem` is the first that is broken. */
export const readBlocks = (list: readonly unknown[]): { readonly content: Block[]; readonly problem: ShapedResult['problem'] } => {
  const content: Block[] = [];
  let problem: ShapedResult['problem'] = null;
  for (const [i, item] of list.entries()) {
    if (typeof item === 'string') {
      problem ??= { pointer: `/content/${i}`, message: 'a block is a bare text' };
      if (item !== '') content.push({ type: 'text', text: item });
    } else if (isObject(item)) {
      const found = blockProblem(item);
      if (found) problem ??= { pointer: `/content/${i}${found.member}`, message: found.message };
      // what is broken is left out of what is passed on; the others stay
      if (!found) content.push(withoutMeta(item));
    } else {
      problem ??= { pointer: `/content/${i}`, message: 'a block is not an object' };
    }
  }
  return { content, problem };
};

const broken = (pointer: string, message: string): ShapedResult => ({ content: [], structured: null, isError: false, extra: {}, problem: { pointer, message }, notes: [] });

/** Reads what a server sent as the result of tools/call, leniently: one odd block never loses the others (C075, C076). */
export const readShape = (raw: unknown): ShapedResult => {
  if (!isObject(raw)) return broken('', 'the result is not an object');
  if (!('content' in raw) && !('structuredContent' in raw) && isObject(raw['toolResult'])) {
    const inner = readShape(raw['toolResult']);
    return { ...inner, notes: [...inner.notes, 'The result came in the old toolResult wrapper; it was unwrapped.'] };
  }
  const extra = Object.fromEntries(Object.entries(raw).filter(([key]) => !PROTOCOL_MEMBERS.has(key)));
  // null says the same as absent: servers of the older era send it
  const structured = raw['structuredContent'] === undefined || raw['structuredContent'] === null ? null : { value: raw['structuredContent'] };
  const isError = raw['isError'] === true;
  const given = raw['content'];
  const none = given === undefined || given === null;
  const list = Array.isArray(given) ? readBlocks(given) : { content: [], problem: null };
  const base = { content: list.content, structured, isError, extra, notes: [] };
  const because = (pointer: string, message: string): ShapedResult => ({ ...base, problem: { pointer, message } });
  if (raw['resultType'] !== undefined && raw['resultType'] !== 'complete') return because('/resultType', 'the server answers with a kind of result that was not asked for');
  if (raw['isError'] !== undefined && raw['isError'] !== null && typeof raw['isError'] !== 'boolean') return because('/isError', 'isError is not true or false');
  // an error without words is an error all the same (C069)
  if (none && structured === null && !isError) return because('/content', 'the result is empty: it has neither content nor structured content');
  if (!none && !Array.isArray(given)) {
    const text = typeof given === 'string' ? [{ type: 'text', text: given }] : isObject(given) && blockProblem(given) === null ? [withoutMeta(given)] : [];
    return { ...base, content: text, problem: { pointer: '/content', message: 'content is not a list' } };
  }
  return { ...base, problem: list.problem };
};
