import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './CopyButton.tsx';
import { shortHash } from './short-hash.ts';
import css from './Hash.module.css';

/** A hash or long id: its ends at first, whole on demand, with copy. `label` says what it is the hash of; `about` explains it, with the whole. */
export const Hash = ({ value, label, about }: { readonly value: string; readonly label?: string; readonly about?: string }): ReactElement => {
  const { t } = useTranslation();
  const [whole, setWhole] = useState(false);
  const name = label ?? t('parts.hash.name');
  const short = shortHash(value);
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
