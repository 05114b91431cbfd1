import { CHAPTERS, type GuideTexts } from './chapters.ts';

/** Texts by chapter, of files by path. */
export const textsFrom = (files: Readonly<Record<string, string>>): GuideTexts => {
  const byName = new Map(Object.entries(files).map(([path, text]) => [path.split('/').at(-1), text]));
  return Object.fromEntries(CHAPTERS.map((chapter) => [chapter, byName.get(`${chapter}.md`) ?? ''])) as GuideTexts;
};
