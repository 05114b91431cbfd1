import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Capability } from '../../../shared/capability.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import css from './Capabilities.module.css';

/** Flags whose words say all: the host's English adds nothing. */
const SAID = new Set(['mixed_scripts', 'contradicting_hints']);

/** What a reader should know about the text of a definition; a flag grants and refuses nothing. */
export const Flags = ({ flags }: { readonly flags: Capability['flags'] }): ReactElement | null => {
  const { t, i18n } = useTranslation();
  if (flags.length === 0) return null;
  return (
    <section aria-label={t('capabilities.flags')}>
      <h2 className="g-heading">{t('capabilities.flags')}</h2>
      <ul className={css['flags']}>
        {flags.map((flag, i) => {
          const key = `parts.flag.${flag.code}`;
          return <li key={i}>{i18n.exists(key) ? t(key) : <code><UntrustedText text={flag.code} /></code>} <code className="g-mono g-muted"><UntrustedText text={flag.place === '' ? '/' : flag.place} maxLength={120} /></code> {SAID.has(flag.code) ? null : <span className="g-fine" lang="en"><UntrustedText text={flag.detail} maxLength={240} /></span>}</li>;
        })}
      </ul>
    </section>
  );
};
