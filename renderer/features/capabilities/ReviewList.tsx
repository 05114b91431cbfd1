import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityRow } from '../../../shared/capability.ts';
import { FlowList } from '../../parts/FlowList.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { useCapabilityPages } from '../../stores/use-capability-pages.ts';
import { useRequest } from '../../stores/use-request.ts';
import { Changes } from './Changes.tsx';
import css from './Capabilities.module.css';
import { DefinitionWords } from './DefinitionWords.tsx';
import { Flags } from './Flags.tsx';
import { ReviewForm } from './ReviewForm.tsx';

const ROW = 37;

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

/** Every first or changed definition that nobody has reviewed, with what differs, and the decision beside it. The first one is open until another is opened. */
export const ReviewList = ({ serverId }: { readonly serverId: string | null }): ReactElement => {
  const { t } = useTranslation();
  const { list, want, retry } = useCapabilityPages({ needsReview: true, ...(serverId === null ? {} : { serverId }) });
  const [open, setOpen] = useState<string | null | undefined>(undefined);
  return (
    <LoadedView of={list} what={t('capabilities.reading')} rows={6} retry={retry}>
      {(rows) => {
        if (rows.total === 0) return <div className="g-panel"><StateView kind="empty" title={t('capabilities.review.none_title')} body={t('capabilities.review.none_body')} /></div>;
        const opened = open === undefined ? rows.rowAt(0)?.id : open;
        return (
          <div className={css['reviews']}>
            <FlowList label={t('capabilities.review.list')} rows={rows} idOf={(c) => c.id} estimate={ROW} onRange={want}>
              {(c) => (
                <>
                  <button type="button" className={css['reviewHead']} aria-expanded={opened === c.id} onClick={() => setOpen(opened === c.id ? null : c.id)}>
                    <code><UntrustedText text={c.id} /></code>
                    <span className={css['awaits']}>{t(c.changedFields.length > 0 ? 'capabilities.stands.changed' : 'capabilities.stands.new', { count: c.changedFields.length })}</span>
                  </button>
                  {opened === c.id ? <Open capability={c} /> : null}
                </>
              )}
            </FlowList>
          </div>
        );
      }}
    </LoadedView>
  );
};
