import { useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useWords } from '../i18n/use-words.ts';
import { countHidden, splitHidden } from './hidden-characters.ts';
import type { TextSegment } from './hidden-characters.ts';
import css from './UntrustedText.module.css';

const cut = (text: string, length: number): string => {
  const end = (text.charCodeAt(length - 1) & 0xfc00) === 0xd800 ? length - 1 : length;
  return text.slice(0, end);
};

/** Text goes as it is: most is nothing else, and lists draw a lot of it. */
const shownAs = (segments: readonly TextSegment[]): ReactNode => segments.map((segment, i) => (segment.kind === 'text' ? segment.text : <Marked key={i} segment={segment} />));

const Marked = ({ segment }: { readonly segment: Exclude<TextSegment, { readonly kind: 'text' }> }): ReactElement => {
  const { t } = useWords();
  if (segment.kind === 'padding') {
    const words = segment.lines > 0 ? t('parts.untrusted.blank_lines', { count: segment.lines }) : t('parts.untrusted.spaces', { count: segment.spaces });
    return segment.lines > 0 ? <span className={css['folded']}>{words}</span> : <span className={css['hidden']}>{words}</span>;
  }
  if (segment.kind === 'lookalike') {
    return (
      <mark className={css['lookalike']} title={t('parts.untrusted.lookalike_why', { code: segment.shown })}>
        {segment.text}
        <span className={css['code']}>{segment.shown}</span>
      </mark>
    );
  }
  return <mark className={css['hidden']} title={t(`parts.untrusted.${segment.name}`)}>{segment.shown}</mark>;
};

/** Text with every character that would not be seen spelled out, without the note; for use inside rows that have their own. */
export const ShownText = ({ text }: { readonly text: string }): ReactElement => {
  const segments = useMemo(() => splitHidden(text), [text]);
  return <bdi dir="auto">{shownAs(segments)}</bdi>;
};

export interface UntrustedTextProps {
  readonly text: string;
  /** keeps line breaks and stands as a block of its own */
  readonly block?: boolean;
  /** characters shown at first; the rest on demand, its length said */
  readonly maxLength?: number;
}

/** Words that a server, a package or a model wrote: plain text only, nothing in it acts, nothing in it is invisible. */
export const UntrustedText = ({ text, block = false, maxLength }: UntrustedTextProps): ReactElement => {
  if (block || (maxLength !== undefined && text.length > maxLength)) return <LongText text={text} block={block} maxLength={maxLength} />;
  return <span className={css['inline']}><ShownText text={text} /></span>;
};

const LongText = ({ text, block, maxLength }: { readonly text: string; readonly block: boolean; readonly maxLength: number | undefined }): ReactElement => {
  const { t } = useWords();
  const [whole, setWhole] = useState(false);
  const long = maxLength !== undefined && text.length > maxLength;
  const shown = long && !whole ? cut(text, maxLength) : text;
  const segments = useMemo(() => splitHidden(shown), [shown]);
  const flagged = countHidden(segments);
  const body = shownAs(segments);
  const more = long ? (
    <button type="button" className={css['more']} aria-expanded={whole} onClick={() => setWhole(!whole)}>
      {whole ? t('parts.untrusted.less') : t('parts.untrusted.more', { shown: maxLength, total: text.length })}
    </button>
  ) : null;
  if (!block) {
    return (
      <span className={css['inline']}>
        <bdi dir="auto">{body}{long && !whole ? '…' : ''}</bdi>
        {more}
      </span>
    );
  }
  return (
    <div className={css['block']}>
      {flagged > 0 ? <p className={css['note']}>{t('parts.untrusted.flagged', { count: flagged })}</p> : null}
      <div dir="auto" className={css['body']}>{body}{long && !whole ? '…' : ''}</div>
      {more}
    </div>
  );
};
