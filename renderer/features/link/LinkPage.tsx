import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { useRequest } from '../../stores/use-request.ts';
import css from './Link.module.css';
import { readLink } from './read-link.ts';

const Entry = ({ entryId }: { readonly entryId: string }): ReactElement => {
  const { t } = useTranslation();
  const { state } = useRequest('market:get', { entryId });
  if (state.phase === 'failed' && state.fault.code === 'not_found') return <p>{t('link.no_entry')}</p>;
  return (
    <LoadedView of={state} what={t('link.reading')} rows={1}>
      {({ entry }) => (
        <div className={css['asks']}>
          <p>{t('link.entry')} <span className={css['name']}>{entry.name}</span></p>
          <Button component="a" href={href.marketEntry(entry.id)} variant="outline" color="accent">{t('link.look')}</Button>
        </div>
      )}
    </LoadedView>
  );
};

/** A stranger's link, shown whole. It can lead to a page that shows more; it installs, connects and decides nothing. */
export const LinkPage = ({ text }: { readonly text: string | null }): ReactElement => {
  const { t } = useTranslation();
  if (text === null) return <StateView kind="empty" page title={t('link.too_long')} body={t('link.too_long_body')} action={<Button component="a" href={href.market()}>{t('link.to_market')}</Button>} />;
  const asks = readLink(text);
  return (
    <div className={css['page']}>
      <h1 className="g-title">{t('link.title')}</h1>
      <section className="g-panel" aria-label={t('link.title')}>
        <p>{t('link.nothing_done')}</p>
        {asks.kind === 'entry' ? <Entry entryId={asks.entryId} /> : asks.kind === 'unknown' ? <p>{t('link.unknown')}</p> : (
          <div className={css['asks']}>
            <p>{t('link.settings')}</p>
            <Button component="a" href={href.importText(text)} variant="outline" color="accent">{t('link.look_settings')}</Button>
          </div>
        )}
      </section>
      <section className="g-panel" aria-label={t('link.whole')}>
        <h2 className="g-heading">{t('link.whole')} <span className="g-small g-muted">{t('link.length', { count: text.length })}</span> <CopyButton text={text} name={t('link.whole')} /></h2>
        <div className={css['whole']} tabIndex={0} role="group" aria-label={t('link.whole')}><UntrustedText text={text} /></div>
      </section>
    </div>
  );
};
