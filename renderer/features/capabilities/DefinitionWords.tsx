import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Definition } from '../../../shared/capability.ts';
import { JsonView } from '../../parts/JsonView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import css from './Capabilities.module.css';

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** What the server declares, marked as its words. Hints are claims: they can raise a tier and never lower it. */
export const DefinitionWords = ({ definition }: { readonly definition: Definition }): ReactElement => {
  const { t } = useTranslation();
  const annotations = definition.annotations ?? {};
  const hints = HINTS.filter((h) => typeof annotations[h] === 'boolean');
  return (
    <section aria-label={t('capabilities.server_words')}>
      <h2 className="g-heading">{t('capabilities.server_words')}</h2>
      <div className={css['words_block']}>
        {definition.title === undefined ? null : <p className={css['declaredTitle']}><UntrustedText text={definition.title} maxLength={200} /></p>}
        {definition.description === undefined || definition.description === '' ? <p className="g-muted">{t('capabilities.no_description')}</p> : <UntrustedText text={definition.description} block maxLength={1200} />}
      </div>
      {hints.length === 0 ? null : <ul className={css['hints']}>{hints.map((h) => <li key={h}>{t(`capabilities.hint.${h}_${String(annotations[h])}`)}</li>)}</ul>}
      {Object.keys(annotations).length > hints.length ? <JsonView text={JSON.stringify(annotations)} label={t('parts.field.annotations')} maxHeight={160} /> : null}
    </section>
  );
};
