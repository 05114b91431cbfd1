import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import css from './CopyButton.module.css';

type Copied = string | (() => string | Promise<string>);

const write = async (text: Copied): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
    return true;
  } catch {
    return false;
  }
};

/** Copies text (a long one is made when it is wanted); says in words whether that worked. `name` completes "Copy ...". With `words` the button is labelled, without it is an icon. */
export const CopyButton = ({ text, name, words }: { readonly text: Copied; readonly name: string; readonly words?: string }): ReactElement => {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (outcome === 'idle') return undefined;
    const timer = setTimeout(() => setOutcome('idle'), 2000);
    return () => clearTimeout(timer);
  }, [outcome]);
  return (
    <>
      <button type="button" className={words === undefined ? css['icon'] : css['words']} aria-label={t('parts.copy.name', { name })} title={t('parts.copy.name', { name })} onClick={() => void write(text).then((done) => setOutcome(done ? 'copied' : 'failed'))}>
        <svg width="12" height="12" viewBox="0 0 12 12" fill="none" stroke="currentColor" strokeWidth="1.2" aria-hidden="true">
          {outcome === 'copied' ? <path d="m2 6.5 2.6 2.6L10 3.4" /> : <path d="M4 3.5V1.6h6.4V8H8.5M1.6 4H8v6.4H1.6Z" />}
        </svg>
        {words === undefined ? null : <span>{outcome === 'copied' ? t('parts.copy.copied') : words}</span>}
      </button>
      <span role="status" className={outcome === 'failed' ? css['failed'] : css['spoken']}>{outcome === 'idle' ? '' : t(`parts.copy.${outcome}`)}</span>
    </>
  );
};
