import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadedView } from '../../../parts/LoadedView.tsx';
import { act } from '../../../stores/act.ts';
import { useRequest } from '../../../stores/use-request.ts';
import css from './Agent.module.css';

/** How many calls the ranking of tools has learned from, and the way to forget them. */
export const LearnedChoices = (): ReactElement => {
  const { t } = useTranslation();
  const [version, setVersion] = useState(0);
  const [asked, setAsked] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { state, reload } = useRequest('choices:get', {}, version);
  const close = (): void => {
    setAsked(false);
    heading.current?.focus();
  };
  const clear = async (): Promise<void> => {
    await act('choices:clear', {});
    setVersion((before) => before + 1);
    close();
  };
  return (
    <section className={css['request']} aria-label={t('models.learned.title')}>
      <h3 ref={heading} tabIndex={-1} className="g-heading">{t('models.learned.title')}</h3>
      <p className="g-small g-muted">{t('models.learned.about')}</p>
      <LoadedView of={state} what={t('models.learned.reading')} rows={1} retry={reload}>
        {({ accepted, refused }) => (
          <div className={css['learned']} role="group" aria-label={t('models.learned.title')}>
            <p>{accepted + refused === 0 ? t('models.learned.none') : t('models.learned.counts', { accepted, refused })}</p>
            {accepted + refused === 0 ? null : asked ? (
              <div className={css['acts']}>
                <span className="g-small">{t('models.learned.clear_means')}</span>
                <Button size="xs" color="danger" variant="outline" onClick={() => void clear()}>{t('models.learned.clear')}</Button>
                <Button size="xs" onClick={close}>{t('models.cancel')}</Button>
              </div>
            ) : <Button size="xs" onClick={() => setAsked(true)}>{t('models.learned.clear_ask')}</Button>}
          </div>
        )}
      </LoadedView>
    </section>
  );
};
