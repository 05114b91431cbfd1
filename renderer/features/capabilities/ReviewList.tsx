import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityRow } from '../../../shared/capability.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { useRequest } from '../../stores/use-request.ts';
import { Changes } from './Changes.tsx';
import css from './Capabilities.module.css';
import { DefinitionWords } from './DefinitionWords.tsx';
import { Flags } from './Flags.tsx';
import { ReviewForm } from './ReviewForm.tsx';

const PAGE = 50;

const Open = ({ capability }: { readonly capability: CapabilityRow }): ReactElement => {
  const { t } = useTranslation();
  const { state, reload } = useRequest('capabilities:get', { capabilityId: capability.id }, capability);
  return (
    <div className={css['reviewBody']}>
      <LoadedView of={state} what={t('capabilities.reading_one')} rows={3} retry={reload}>
        {({ capability: detail }) => (
          <>
            {detail.changes.length > 0 ? <Changes changes={detail.changes} /> : <DefinitionWords definition={detail.definition} />}
            <Flags flags={detail.flags} />
            <ReviewForm capability={detail} />
            <a className="g-small" href={href.capability(detail.id)}>{t('capabilities.open_page')}</a>
          </>
        )}
      </LoadedView>
    </div>
  );
};

/** Every first or changed definition that nobody has reviewed, with what differs, and the decision beside it. */
export const ReviewList = ({ capabilities }: { readonly capabilities: readonly CapabilityRow[] }): ReactElement => {
  const { t } = useTranslation();
  const [open, setOpen] = useState<string | null>(capabilities[0]?.id ?? null);
  const [shown, setShown] = useState(PAGE);
  if (capabilities.length === 0) return <div className="g-panel"><StateView kind="empty" title={t('capabilities.review.none_title')} body={t('capabilities.review.none_body')} /></div>;
  return (
    <>
      <ul className={css['reviews']} aria-label={t('capabilities.review.list')}>
        {capabilities.slice(0, shown).map((c) => (
          <li key={c.id}>
            <button type="button" className={css['reviewHead']} aria-expanded={open === c.id} onClick={() => setOpen(open === c.id ? null : c.id)}>
              <code><UntrustedText text={c.id} /></code>
              <span className={css['awaits']}>{t(c.changedFields.length > 0 ? 'capabilities.stands.changed' : 'capabilities.stands.new', { count: c.changedFields.length })}</span>
            </button>
            {open === c.id ? <Open capability={c} /> : null}
          </li>
        ))}
      </ul>
      {capabilities.length > shown ? <button type="button" className={css['more']} onClick={() => setShown(shown + PAGE)}>{t('capabilities.review.more', { shown, total: capabilities.length })}</button> : null}
    </>
  );
};
