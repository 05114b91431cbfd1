import { isObject } from '../../shared/is-object.ts';
import type { CallResult } from '../../shared/call.ts';
import { selectPart, type SelectedPart, type Selection } from './select-part.ts';
import { pointerStep } from '../evidence/privacy-filter.ts';
import type { Block } from './result-shape.ts';
import { isLongBase64, readMedia, sizeNote, withoutBase64Runs } from './result-media.ts';
import type { MediaPart } from './result-media.ts';
import { outlineOf } from './result-outline.ts';
import { array, leaf, object, print, string, treeOf } from './result-tree.ts';
import type { Node, Shortened, TreeOptions } from './result-tree.ts';

/** What one model context takes of one result. */
export interface ModelBudget {
  readonly textBytes: number;
  /** base64 inside values is shown too: for a reader who asked for just this part */
  readonly rawText?: boolean;
  /** JSON Pointer into the structured content: only that part is told */
  readonly select?: string;
  /** the result is of a class whose parts cannot stand for it (an error, what breaks its contract): `select` is told and not applied */
  readonly isWholeNeeded?: boolean;
  /** what is fitted is the beginning of a large result: `select` is told and not applied */
  readonly isPreview?: boolean;
}

/** A result as a model is told it, whatever its route: what of `media` goes along is the route's to say. */
export interface FittedResult {
  /** JSON text of `content`, `structuredContent` and `extra`, within the budget */
  readonly body: string;
  readonly bodyBytes: number;
  readonly shortened: readonly Shortened[];
  /** where something is shortened: what the whole result is made of */
  readonly outline: unknown;
  readonly media: readonly MediaPart[];
  /** characters that a reader does not see were left out */
  readonly hidden: boolean;
  /** what became of `select`, where a caller gave one; its value stands in the body */
  readonly selection?: Selection;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** What a block that is only a text may have beside it; who it is meant for is no content. */
const PLAIN_TEXT = new Set(['type', 'text', 'annotations']);
const MEDIA_TYPES = new Set(['image', 'audio']);
/** Of a media type that a server names and that is not it. */
const LONGEST_CLAIM = 80;

const withoutAnnotations = ({ annotations: _annotations, ...block }: Block): Block => block;

/** Whether a text is this value as JSON, order of names and spelling of numbers aside. The value is written down once, however many texts there are. */
const sameAs = (structured: unknown): ((text: string) => boolean) => {
  let known: string | undefined;
  return (text) => {
    if (structured === undefined || !/^\s*[[{]/.test(text)) return false;
    try {
      return sorted(JSON.parse(text)) === (known ??= sorted(structured));
    } catch {
      return false;
    }
  };
};
const sorted = (value: unknown): string => JSON.stringify(value, (_key, member: unknown) => (isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member));

const selectedOf = (structured: unknown, select: string, { isWholeNeeded, isPreview }: ModelBudget): SelectedPart => {
  if (isWholeNeeded === true) return { selection: { state: 'not_applied', select }, value: undefined };
  return isPreview === true ? { selection: { state: 'not_at_hand', select }, value: undefined } : selectPart(structured, select);
};

/** Where a place of the result as it was sent stands in the stored one. */
const storedPlace = (place: string): string => {
  const own = place.replace(/^\/toolResult(?=\/)/, '');
  return /^\/(?:content|structuredContent)(?:\/|$)/.test(own) ? own : `/extra${own}`;
};

/** Two copies of one picture are one: servers put the block into the structured part as well (C073). */
const structuredText: TreeOptions['text'] = (value, name, parent) => {
  const amongMedia = (name === 'data' || name === 'blob') && parent !== null && (isText(parent['mimeType']) || isText(parent['media_type']) || MEDIA_TYPES.has(String(parent['type'])));
  return isLongBase64(value, amongMedia) ? sizeNote(value) : withoutBase64Runs(value);
};

/**
 * What a model is told of a result: content, structured part and unknown members, none of them lost, within the budget. Pictures, sounds and files are
 * named in place and listed beside; base64 elsewhere is told by its size; numbers keep their digits; a text that only repeats the structured part says so.
 * `exact`: as judgeResult has them.
 */
export const fitResult = (result: Pick<CallResult, 'content' | 'structuredContent' | 'extra'>, budget: ModelBudget, exact: readonly { readonly place: string; readonly text: string }[] = []): FittedResult => {
  const media: MediaPart[] = [];
  const options: TreeOptions = { exact: new Map(exact.map(({ place, text }) => [storedPlace(place), text])), text: budget.rawText === true ? (value) => value : structuredText };
  const inText = budget.rawText === true ? (text: string): string => text : withoutBase64Runs;
  const { structuredContent: structured } = result;
  const repeatsStructured = sameAs(structured);

  const mediaNode = (base64: string, declared: string, part: string, about: Block): Node => {
    const found = readMedia(base64, declared, part);
    media.push(found);
    return treeOf({ ...about, mediaType: found.mediaType ?? 'unknown', ...(found.mediaType === declared ? {} : { declared: declared.slice(0, LONGEST_CLAIM).toWellFormed() }), sizeBytes: found.sizeBytes, medium: media.length }, part, options);
  };
  const blockNode = (block: Block, part: string): Node => {
    const { type } = block;
    if (type === 'text' && isText(block['text'])) {
      const text = repeatsStructured(block['text']) ? '(the same as structuredContent)' : inText(block['text']);
      if (Object.keys(block).every((name) => PLAIN_TEXT.has(name))) return string(text, `${part}/text`);
      return treeOf({ ...withoutAnnotations(block), text }, part, options);
    }
    if (MEDIA_TYPES.has(String(type)) && isText(block['data'])) {
      const { data, mimeType, ...about } = withoutAnnotations(block);
      return mediaNode(String(data), String(mimeType ?? ''), part, about);
    }
    const resource = block['resource'];
    if (type === 'resource' && isObject(resource) && isText(resource['blob'])) {
      const { blob, mimeType, ...about } = resource;
      return mediaNode(String(blob), String(mimeType ?? ''), part, { type, ...about });
    }
    return treeOf(withoutAnnotations(block), part, options);
  };

  const hasExtra = Object.keys(result.extra).length > 0;
  const selected = budget.select === undefined ? null : selectedOf(structured, budget.select, budget);
  const selection = selected === null ? {} : { selection: selected.selection };
  const outlined = (shortened: readonly Shortened[]): unknown => (shortened.length === 0 ? null : outlineOf({ content: result.content, ...(structured === undefined ? {} : { structuredContent: structured }), ...(hasExtra ? { extra: result.extra } : {}) }));
  if (selected?.selection.state === 'given') {
    const part = `/structuredContent${selected.selection.select}`;
    const { text, shortened, hidden } = print(object([['selected', treeOf(selected.value, part, options)]], part), budget.textBytes);
    return { body: text, bodyBytes: Buffer.byteLength(text), shortened, outline: outlined(shortened), media, hidden, ...selection };
  }

  const content = result.content.map((block, i) => blockNode(block, `/content/${i}`));
  const isEmpty = structured === undefined && !hasExtra && result.content.every((block) => block['type'] === 'text' && String(block['text']).trim() === '');
  const members: (readonly [string, Node])[] = [['content', isEmpty ? leaf('"(empty result)"', '/content') : array(content, '/content')]];
  if (structured !== undefined) members.push(['structuredContent', treeOf(structured, '/structuredContent', options)]);
  if (hasExtra) members.push(['extra', object(Object.keys(result.extra).map((name) => [name, treeOf(result.extra[name], `/extra${pointerStep(name)}`, options)] as const), '/extra')]);
  const { text, shortened, hidden } = print(object(members, ''), budget.textBytes);
  return { body: text, bodyBytes: Buffer.byteLength(text), shortened, outline: outlined(shortened), media, hidden, ...selection };
};
