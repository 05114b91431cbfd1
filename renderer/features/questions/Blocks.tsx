import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { JsonView } from '../../parts/JsonView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import css from './QuestionDialog.module.css';

type Block = Readonly<Record<string, unknown>>;
const base64Bytes = (data: unknown): number => (typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0);

/** The pieces of a message as text: nothing is drawn, fetched or followed. */
export const Blocks = ({ content, label }: { readonly content: readonly Block[]; readonly label: string }): ReactElement => {
  const { t } = useTranslation();
  if (content.length === 0) return <p className={css['small']}>{t('questions.sampling.empty')}</p>;
  return (
    <div className={css['blocks']}>
      {content.map((block, at) => {
        if (block['type'] === 'text' && typeof block['text'] === 'string') return <div key={at} className={css['said']} tabIndex={0} role="group" aria-label={label}><UntrustedText text={block['text']} block maxLength={4000} /></div>;
        if (block['type'] === 'image' || block['type'] === 'audio') return <p key={at} className={css['small']}>{t(`parts.result.${block['type']}`, { bytes: base64Bytes(block['data']) })} <code><UntrustedText text={typeof block['mimeType'] === 'string' ? block['mimeType'] : ''} maxLength={80} /></code></p>;
        return <JsonView key={at} text={JSON.stringify(block)} label={label} maxHeight={220} copy={false} />;
      })}
    </div>
  );
};
