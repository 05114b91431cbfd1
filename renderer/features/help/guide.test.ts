// @vitest-environment node
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { GUIDE_PICTURES } from '../../../e2e/support/guide-pictures.ts';
import { resources } from '../../i18n/resources.ts';
import { CHAPTERS, type Chapter, type GuideLanguage } from './chapters.ts';
import { anchorsOf, guidePlaces, guideTarget, headingsOf, slugOf } from './guide-outline.ts';
import { HelpText } from './HelpText.tsx';
import { loadGuide } from './load-guide.ts';
import { texts as en } from './texts-en.ts';
import { texts as zh } from './texts-zh.ts';

const root = fileURLToPath(new URL('../../../docs/guide', import.meta.url));
const LANGUAGES = { en, zh } as const;

/** Links and pictures of a page, in order, without what stands in a fence. */
const linksOf = (markdown: string): readonly { readonly picture: boolean; readonly to: string; readonly words: string }[] =>
  [...markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g)].map(([, mark, words = '', to = '']) => ({ picture: mark === '!', to, words }));

/** What both languages must share: headings by level, pictures, where links lead, the size of each table. */
const shapeOf = (language: GuideLanguage, chapter: Chapter): unknown => {
  const page = LANGUAGES[language][chapter];
  return {
    headings: headingsOf(page).map(({ level }) => level),
    links: linksOf(page).map(({ picture, to }) => (picture ? to : guideTarget(to, chapter, LANGUAGES[language], en))),
    tables: [...page.matchAll(/(?:^\|.*\n?)+/gm)].map(([rows]) => rows.trim().split('\n').map((row) => row.replaceAll('\\|', '').split('|').length)),
    lists: (page.match(/^(?:-|\d+\.) /gm) ?? []).length,
    fences: (page.match(/^```/gm) ?? []).length,
  };
};

describe.each(['en', 'zh'] as const)('the guide in %s', (language) => {
  const texts = LANGUAGES[language];

  it('U130 each file of it is a page of it, with one title', () => {
    expect(readdirSync(join(root, language)).filter((name) => name.endsWith('.md')).toSorted()).toEqual(CHAPTERS.map((chapter) => `${chapter}.md`).toSorted());
    for (const chapter of CHAPTERS) expect([chapter, headingsOf(texts[chapter]).filter(({ level }) => level === 1).length]).toEqual([chapter, 1]);
  });

  it('U130 every link leads to a page and a heading there is', () => {
    const lost = CHAPTERS.flatMap((chapter) => linksOf(texts[chapter]).filter(({ picture, to }) => !picture && guideTarget(to, chapter, texts, en) === null).map(({ to }) => `${chapter}: ${to}`));
    expect(lost).toEqual([]);
    for (const chapter of CHAPTERS) {
      const slugs = headingsOf(texts[chapter]).map(({ slug }) => slug);
      expect(new Set(slugs).size).toBe(slugs.length);
    }
  });

  it('U131 the pictures it names are those that the journey takes, each there once, and each says in words what it shows', () => {
    const named = CHAPTERS.flatMap((chapter) => linksOf(texts[chapter]).filter(({ picture }) => picture));
    expect(named.map(({ to }) => to).toSorted()).toEqual(GUIDE_PICTURES.map((name) => `images/${name}.webp`).toSorted());
    expect(readdirSync(join(root, language, 'images')).toSorted()).toEqual(GUIDE_PICTURES.map((name) => `${name}.webp`).toSorted());
    for (const { words } of named) expect(words.length).toBeGreaterThan(5);
  });

  it('U132 what looks like HTML in it is text, and no address outside of the window is fetched or linked', async () => {
    const guide = await loadGuide(language);
    const page = `# T\n\n<img src="x" onerror="alert(1)"> <script>1</script>\n\n[away](https://example.com/) ![p](https://example.com/p.png)`;
    const hostile = renderToStaticMarkup(createElement(HelpText, { chapter: 'start', language, guide: { ...guide, texts: { ...guide.texts, start: page } } }));
    expect(hostile).not.toMatch(/<img|<script|<a /);
    expect(hostile).toContain('&lt;script&gt;');
  });

  it('U132 each page is drawn whole: its headings with their anchors, its links inside the guide, its pictures', async () => {
    const guide = await loadGuide(language);
    for (const chapter of CHAPTERS) {
      const html = renderToStaticMarkup(createElement(HelpText, { chapter, language, guide }));
      for (const { id } of anchorsOf(texts[chapter], en[chapter])) expect(html).toContain(`id="${id}"`);
      expect((html.match(/<img /g) ?? []).length).toBe(linksOf(texts[chapter]).filter(({ picture }) => picture).length);
      for (const [, to] of html.matchAll(/href="([^"]*)"/g)) expect(to).toMatch(/^#\/help(\/|$)/);
      expect(html).not.toContain('[table]');
      expect((html.match(/<table>/g) ?? []).length).toBe([...texts[chapter].matchAll(/(?:^\|.*\n?)+/gm)].length);
    }
  });
});

it('U130 both languages have the same headings, pictures, links, tables and lists at the same places', () => {
  for (const chapter of CHAPTERS) expect([chapter, shapeOf('zh', chapter)]).toEqual([chapter, shapeOf('en', chapter)]);
});

/** Every text of the window in one language, plurals and forms with it. */
const wordsOf = (words: unknown): readonly string[] => (typeof words === 'string' ? [words] : Object.values(words as Readonly<Record<string, unknown>>).flatMap(wordsOf));

it.each(['en', 'zh'] as const)('U135 what the guide in %s names in bold as a button or a page is called so in the window', (language) => {
  const known = wordsOf(resources[language]);
  const named = (['main-job', 'agent', 'questions', 'import', 'data', 'network'] as const).flatMap((chapter) => [...LANGUAGES[language][chapter].matchAll(/\*\*(.+?)\*\*/g)].map(([, bold]) => bold!));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((bold) => !known.some((text) => text === bold || text.startsWith(`${bold} `) || (language === 'zh' && text.startsWith(bold))))).toEqual([]);
});

it('U131 all pictures together stay under 2 MB', () => {
  const sizes = (['en', 'zh'] as const).flatMap((language) => readdirSync(join(root, language, 'images')).map((name) => statSync(join(root, language, 'images', name)).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2_000_000);
});

it('U133 anchors are the same in both languages, and those of a link are found in its own', () => {
  expect(slugOf('What fits, and what Gantry does not protect from')).toBe('what-fits-and-what-gantry-does-not-protect-from');
  expect(slugOf('适合什么，不防范什么')).toBe('适合什么不防范什么');
  const ids = (texts: typeof en): readonly string[] => CHAPTERS.flatMap((chapter) => anchorsOf(texts[chapter], en[chapter]).map(({ id }) => `${chapter} ${id}`));
  expect(ids(zh)).toEqual(ids(en));
  expect(guideTarget(`facts.md#${encodeURIComponent('漏斗')}`, 'start', zh, en)).toEqual({ chapter: 'facts', anchor: 'the-funnel' });
  expect(guideTarget('#the-funnel', 'facts', en, en)).toEqual({ chapter: 'facts', anchor: 'the-funnel' });
  expect(guideTarget('https://example.com/', 'facts', en, en)).toBeNull();
  expect(guideTarget('nothing.md', 'facts', en, en)).toBeNull();
  expect(guideTarget('facts.md#nothing', 'start', en, en)).toBeNull();
});

it('U133 every heading is a place, with its name in the other language', () => {
  const places = guidePlaces(zh, en, en);
  expect(places).toHaveLength(CHAPTERS.reduce((sum, chapter) => sum + headingsOf(zh[chapter]).length, 0));
  expect(places).toContainEqual({ chapter: 'facts', anchor: 'the-funnel', title: '漏斗', page: '每项事实的含义', also: 'The funnel' });
});
