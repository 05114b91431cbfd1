import Markdown, { RuleType, type MarkdownToJSX } from 'markdown-to-jsx/react';
import { useMemo } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import css from './AnswerText.module.css';
import { escapeHidden } from './hidden-characters.ts';
import { hostOf } from './link-host.ts';

const LONGEST = 200_000;
const LABEL = /(\[r\d{1,6}\])/;

export interface AnswerTextProps {
  /** a model's words: Markdown, and in it nothing that acts */
  readonly text: string;
  /** draws a label such as r3 where the text cites a result */
  readonly citation?: ((label: string) => ReactNode) | undefined;
}

/**
 * What a model wrote, laid out: headings, lists, tables, code. HTML in it is text, a picture is its words, a link is text with its host and opens nothing; characters that
 * would not be seen are spelled out.
 */
export const AnswerText = ({ text, citation }: AnswerTextProps): ReactElement => {
  const { t } = useTranslation();
  const options = useMemo((): MarkdownToJSX.Options => {
    const Link = ({ href = '', children }: { readonly href?: string; readonly children?: ReactNode }): ReactNode => {
      const host = hostOf(href);
      return <span className={css['link']}>{children}{host === null ? null : <> <span className={css['host']}>({host})</span></>}</span>;
    };
    const Picture = ({ alt = '', src = '' }: { readonly alt?: string; readonly src?: string }): ReactNode => <span className={css['link']}>{t('parts.answer.picture', { alt })}{hostOf(src) === null ? null : <> <span className={css['host']}>({hostOf(src)})</span></>}</span>;
    const Table = ({ children }: { readonly children?: ReactNode }): ReactNode => <div className={css['table']} tabIndex={0} role="group" aria-label={t('parts.answer.table')}><table>{children}</table></div>;
    const Code = ({ children }: { readonly children?: ReactNode }): ReactNode => <pre tabIndex={0} aria-label={t('parts.answer.code')} role="group">{children}</pre>;
    const Box = ({ checked }: { readonly checked?: boolean }): ReactNode => <span>{checked === true ? '☑' : '☐'}</span>;
    // headings stand below those of the page
    const Heading = ({ children }: { readonly children?: ReactNode }): ReactNode => <p className={css['heading']}>{children}</p>;
    return {
      disableParsingRawHTML: true,
      forceBlock: true,
      slugify: () => '',
      wrapper: 'div',
      overrides: { a: Link, img: Picture, table: Table, pre: Code, input: Box, h1: Heading, h2: Heading, h3: Heading, h4: Heading, h5: Heading, h6: Heading },
      renderRule: (next, node, _children, state) => {
        if (node.type !== RuleType.text || citation === undefined || !LABEL.test(node.text)) return next();
        return <span key={state.key}>{node.text.split(LABEL).map((part, at) => (LABEL.test(part) ? <span key={at}>{citation(part.slice(1, -1))}</span> : part))}</span>;
      },
    };
  }, [t, citation]);
  return <div className={css['answer']} dir="auto"><Markdown options={options}>{escapeHidden(text.slice(0, LONGEST))}</Markdown></div>;
};
