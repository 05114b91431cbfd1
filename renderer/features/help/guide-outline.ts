import { CHAPTERS, type Chapter, type GuideTexts } from './chapters.ts';

export interface GuideHeading {
  /** 1 is the title of the page */
  readonly level: number;
  readonly text: string;
  /** how a link in the same language names it, as GitHub makes it of the text */
  readonly slug: string;
}

/** The anchor that GitHub gives a heading: small letters, blanks as hyphens, no other punctuation. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** Headings of one page, in order. What stands in a fence is no heading. */
export const headingsOf = (markdown: string): readonly GuideHeading[] => {
  let fenced = false;
  return markdown.split('\n').flatMap((line) => {
    if (line.startsWith('```')) fenced = !fenced;
    const found = fenced ? null : /^(#{1,3}) (.+)$/.exec(line);
    const text = found?.[2]!.replace(/[`*]/g, '').trim();
    return text === undefined ? [] : [{ level: found![1]!.length, text, slug: slugOf(text) }];
  });
};

export interface Anchor {
  /** the same in every language: the English slug of the heading at that place */
  readonly id: string;
  readonly heading: GuideHeading;
}

/** Headings of a page with anchors that hold in both languages. The languages have the same headings at the same places (checked by a test). */
export const anchorsOf = (markdown: string, english: string): readonly Anchor[] => {
  const ids = headingsOf(english);
  return headingsOf(markdown).map((heading, at) => ({ id: ids[at]?.slug ?? heading.slug, heading }));
};

export interface GuidePlace {
  readonly chapter: Chapter;
  /** null: the top of the page */
  readonly anchor: string | null;
  readonly title: string;
  /** the title of its page */
  readonly page: string;
  /** the same heading in the other language */
  readonly also: string;
}

/** Every heading of the guide as a place to go to. */
export const guidePlaces = (texts: GuideTexts, other: GuideTexts, english: GuideTexts): readonly GuidePlace[] =>
  CHAPTERS.flatMap((chapter) => {
    const others = headingsOf(other[chapter]);
    const anchors = anchorsOf(texts[chapter], english[chapter]);
    return anchors.map(({ id, heading }, at): GuidePlace => ({ chapter, anchor: at === 0 ? null : id, title: heading.text, page: anchors[0]!.heading.text, also: others[at]?.text ?? '' }));
  });

/** Where a link of the guide leads: another page of it or a place in one; null for what leads elsewhere. */
export const guideTarget = (link: string, from: Chapter, texts: GuideTexts, english: GuideTexts): { readonly chapter: Chapter; readonly anchor: string | null } | null => {
  const found = /^(?:(?:\.\/)?([a-z-]+)\.md)?(?:#(.+))?$/.exec(link);
  if (found === null || link === '') return null;
  const chapter = found[1] === undefined ? from : CHAPTERS.find((one) => one === found[1]);
  if (chapter === undefined) return null;
  if (found[2] === undefined) return { chapter, anchor: null };
  const slug = decodeURIComponent(found[2]);
  const anchor = anchorsOf(texts[chapter], english[chapter]).find(({ heading }) => heading.slug === slug);
  return anchor === undefined ? null : { chapter, anchor: anchor.id };
};
