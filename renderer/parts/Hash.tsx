import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './CopyButton.tsx';
import css from './Hash.module.css';

const groups = (value: string): string => value.match(/.{1,4}/g)?.join(' ') ?? value;

/** A hash or long id: its ends at first, whole on demand, with copy. `label` says what it is the hash of; `about` explains it, with the whole. */
export const Hash = ({ value, label, about, plain = false }: { readonly value: string; readonly label?: string; readonly about?: string; readonly plain?: boolean }): ReactElement => {
  const { t } = useTranslation();
  const [whole, setWhole] = useState(false);
  const name = label ?? t('parts.hash.name');
  const short = value.length <= 16 ? value : plain ? `${value.slice(0, 8)}…${value.slice(-4)}` : `${groups(value.slice(0, 8))} … ${value.slice(-4)}`;
  return (
    <span className={css['hash']}>
      {label === undefined ? null : <span className={css['label']} title={about}>{label}</span>}
      {value.length <= 16 ? (
        <span className={css['value']}>{value}</span>
      ) : (
        <button type="button" className={css['value']} aria-expanded={whole} aria-label={`${name}: ${whole ? value : short}. ${t(whole ? 'parts.hash.shorten' : 'parts.hash.whole')}`} title={whole ? undefined : value} onClick={() => setWhole(!whole)}>
          {whole ? value : short}
        </button>
      )}
      <CopyButton text={value} name={name} />
      {about !== undefined && whole ? <span className={css['about']}>{about}</span> : null}
    </span>
  );
};
