import Markdown, { RuleType, type MarkdownToJSX } from 'markdown-to-jsx/react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerChunks } from './answer-chunks.ts';
import { citedParts, maskCitations, unmaskCitations } from './answer-citations.ts';
import { AnswerLink } from './AnswerLink.tsx';
import css from './AnswerText.module.css';
import { CopyButton } from './CopyButton.tsx';
import { escapeHidden } from './hidden-characters.ts';
import { hostOf } from './link-host.ts';

/** More is not laid out; what is left out is said. */
const LONGEST = 2_000_000;
/** So many are drawn at once; of a longer text those near what is in sight, and the last one. */
const FEW_CHUNKS = 20;

export interface AnswerTextProps {
  /** a model's words: Markdown, and in it nothing that acts */
  readonly text: string;
  /** draws a label such as r3 where the text cites a result */
  readonly citation?: ((label: string) => ReactNode) | undefined;
}
type Citation = NonNullable<AnswerTextProps['citation']>;

const CodeBlock = ({ text, language }: { readonly text: string; readonly language: string }): ReactElement => {
  const { t } = useTranslation();
  return (
    <div className={css['codeBlock']}>
      <div className={css['codeHead']}><span>{language}</span><CopyButton text={text} name={t('parts.answer.code')} words={t('parts.answer.copy_code')} /></div>
      <pre tabIndex={0} aria-label={t('parts.answer.code')} role="group" dir="ltr">{text}</pre>
    </div>
  );
};

const cited = (text: string, citation: Citation | undefined): ReactNode => {
  const parts = citedParts(text);
  return citation === undefined ? unmaskCitations(text) : parts.map((part, at) => ('text' in part ? part.text : <span key={at}>{part.labels.map((label, place) => <span key={place}>{place === 0 ? null : ' '}{citation(label)}</span>)}</span>));
};

const Laid = memo(function Laid({ text, citation }: { readonly text: string; readonly citation: Citation | undefined }): ReactElement {
  const { t } = useTranslation();
  const options = useMemo((): MarkdownToJSX.Options => {
    const Link = ({ href = '', children }: { readonly href?: string; readonly children?: ReactNode }): ReactNode => <AnswerLink address={href}>{children}</AnswerLink>;
    const Picture = ({ alt = '', src = '' }: { readonly alt?: string; readonly src?: string }): ReactNode => <span className={css['link']}>{t('parts.answer.picture', { alt: unmaskCitations(alt) })}{hostOf(src) === null ? null : <> <span className={css['host']}>({hostOf(src)})</span></>}</span>;
    const Table = ({ children }: { readonly children?: ReactNode }): ReactNode => <div className={css['table']} tabIndex={0} role="group" aria-label={t('parts.answer.table')}><table dir="auto">{children}</table></div>;
    const Box = ({ checked }: { readonly checked?: boolean }): ReactNode => <span>{checked === true ? '☑' : '☐'}</span>;
    // headings stand below those of the page
    const Heading = ({ children }: { readonly children?: ReactNode }): ReactNode => <p className={css['heading']} dir="auto">{children}</p>;
    const auto = { props: { dir: 'auto' } } as const;
    return {
      disableParsingRawHTML: true,
      forceBlock: true,
      preserveFrontmatter: true,
      slugify: () => '',
      wrapper: 'div',
      overrides: { a: Link, img: Picture, table: Table, input: Box, h1: Heading, h2: Heading, h3: Heading, h4: Heading, h5: Heading, h6: Heading, p: auto, ul: auto, ol: auto, blockquote: auto },
      renderRule: (next, node, _children, state) => {
        switch (node.type) {
          case RuleType.text: return <span key={state.key}>{cited(node.text, citation)}</span>;
          case RuleType.codeInline: return <code key={state.key} dir="ltr">{unmaskCitations(node.text)}</code>;
          case RuleType.codeBlock: return <CodeBlock key={state.key} text={unmaskCitations(node.text)} language={node.lang ?? ''} />;
          case RuleType.link: return <AnswerLink key={state.key} address={unmaskCitations(node.target ?? '')}>{_children(node.children, state)}</AnswerLink>;
          default: return next();
        }
      },
    };
  }, [t, citation]);
  return <Markdown options={options}>{maskCitations(escapeHidden(text))}</Markdown>;
});

/** Part of a long text: its plain words until it comes near what is in sight. */
const Chunk = ({ text, citation, last }: { readonly text: string; readonly citation: Citation | undefined; readonly last: boolean }): ReactElement => {
  const [near, setNear] = useState(last);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (near || box.current === null) return undefined;
    let drawing = 0;
    // one after the other, between frames: several may come near at once
    const watcher = new IntersectionObserver((seen) => { if (seen.some(({ isIntersecting }) => isIntersecting)) drawing ||= requestIdleCallback(() => setNear(true), { timeout: 300 }); }, { rootMargin: '1500px 0px' });
    watcher.observe(box.current);
    return () => {
      watcher.disconnect();
      cancelIdleCallback(drawing);
    };
  }, [near]);
  return <div ref={box} className={css['chunk']} data-plain={!near}>{near ? <Laid text={text} citation={citation} /> : escapeHidden(text)}</div>;
};

/**
 * What a model wrote, laid out: headings, lists, tables, code. HTML in it is text, a picture is its words, a link is text with its host and opens nothing by itself;
 * characters that would not be seen are spelled out. Of a text that grows only its last part is read anew.
 */
export const AnswerText = ({ text, citation }: AnswerTextProps): ReactElement => {
  const { t } = useTranslation();
  const chunks = useMemo(() => answerChunks(text.length > LONGEST ? text.slice(0, LONGEST).toWellFormed() : text), [text]);
  return (
    <div className={css['answer']}>
      {chunks.length <= FEW_CHUNKS ? chunks.map((chunk, at) => <Laid key={at} text={chunk} citation={citation} />) : chunks.map((chunk, at) => <Chunk key={at} text={chunk} citation={citation} last={at === chunks.length - 1} />)}
      {text.length > LONGEST ? <p className={css['host']}>{t('parts.answer.shortened', { shown: LONGEST, total: text.length })}</p> : null}
    </div>
  );
};
