import type { ReactElement } from 'react';
import type { Mark } from '../../../shared/conversation.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import css from './Agent.module.css';

/** A text of one's own or a model's, with what was looked for marked in it. `marks` in their order, apart. */
export const MarkedText = ({ text, marks }: { readonly text: string; readonly marks: readonly Mark[] }): ReactElement => {
  const ends = [0, ...marks.flatMap(({ from, to }) => [from, to]), text.length];
  return (
    <>
      {ends.slice(1).map((end, at) => {
        const piece = text.slice(ends[at], end);
        if (piece === '') return null;
        return at % 2 === 1 ? <mark key={at} className={css['hit']}><UntrustedText text={piece} /></mark> : <UntrustedText key={at} text={piece} />;
      })}
    </>
  );
};
