import type { GuidePlace } from '../../features/help/guide-outline.ts';
import { href } from '../../routes.ts';
import type { SearchItem } from './search-items.ts';

/** Headings of the guide, each with its page beside it; a page itself has the guide's `name` there. */
export const guideItems = (places: readonly GuidePlace[], name: string): readonly SearchItem[] =>
  places.map(({ chapter, anchor, title, page, also }) => ({ id: `guide ${chapter}${anchor === null ? '' : ` ${anchor}`}`, kind: 'guide', label: title, detail: anchor === null ? name : page, also, words: '', to: href.help(chapter, anchor ?? undefined) }));
