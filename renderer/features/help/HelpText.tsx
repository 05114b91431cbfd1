import Markdown, { type MarkdownToJSX } from 'markdown-to-jsx/react';
import { useMemo, type ReactNode } from 'react';
import { href } from '../../routes.ts';
import type { Chapter, GuideLanguage } from './chapters.ts';
import { anchorsOf, guideTarget } from './guide-outline.ts';
import { pictureAt } from './guide-pictures.ts';
import type { LoadedGuide } from './load-guide.ts';

interface Props {
  readonly chapter: Chapter;
  readonly language: GuideLanguage;
  readonly guide: LoadedGuide;
}

/** One page of the guide. HTML in it is text; links stay in the guide, pictures come from the window's own files. */
export function HelpText({ chapter, language, guide }: Props) {
  const options = useMemo((): MarkdownToJSX.Options => {
    const ids = new Map(anchorsOf(guide.texts[chapter], guide.english[chapter]).map(({ id, heading }) => [heading.text, id]));
    const Link = ({ href: to = '', children }: { readonly href?: string; readonly children?: ReactNode }): ReactNode => {
      const target = guideTarget(to, chapter, guide.texts, guide.english);
      return target === null ? <span>{children}</span> : <a href={href.help(target.chapter, target.anchor ?? undefined)}>{children}</a>;
    };
    const Picture = ({ src = '', alt = '' }: { readonly src?: string; readonly alt?: string }): ReactNode => {
      const url = pictureAt(language, src);
      // 1280 by 800, as the journey took it: the page does not jump when it comes
      return url === undefined ? <em>{alt}</em> : <img src={url} alt={alt} width={1280} height={800} loading="lazy" />;
    };
    const Table = ({ children }: { readonly children?: ReactNode }): ReactNode => (
      // a wide table scrolls by itself, by keyboard too
      <div data-table tabIndex={0} role="group" aria-label={anchorsOf(guide.texts[chapter], guide.english[chapter])[0]?.heading.text}>
        <table>{children}</table>
      </div>
    );
    return { disableParsingRawHTML: true, forceBlock: true, slugify: (text) => ids.get(text.replace(/[`*]/g, '').trim()) ?? '', overrides: { a: Link, img: Picture, table: Table } };
  }, [chapter, language, guide]);
  return <Markdown options={options}>{guide.texts[chapter]}</Markdown>;
}
