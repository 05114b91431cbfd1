import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Told } from '../../../shared/call.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useLanguage } from '../../parts/use-language.ts';
import { useRequest } from '../../stores/use-request.ts';
import css from './ToldView.module.css';

const OneTold = ({ told }: { readonly told: Told }): ReactElement => {
  const { t, i18n } = useTranslation();
  const language = useLanguage();
  const [open, setOpen] = useState(false);
  const route = i18n.exists(`parts.rendering.route.${told.route}`) ? t(`parts.rendering.route.${told.route}`) : told.route;
  return (
    <div className={css['told']}>
      <p className={css['about']}>
        {t('runs.told.about', { bytes: new Intl.NumberFormat(language).format(told.textBytes), turn: told.turn, route })}
        {told.isError ? <span>{t('runs.told.as_error')}</span> : null}
        {told.shortened ? <span>{t('runs.told.shortened')}</span> : null}
      </p>
      {told.media.map((medium) => (
        <p key={medium.medium} className={css['about']}>{t(medium.attached ? 'runs.told.attached' : 'runs.told.not_attached', { type: medium.mediaType })}{medium.why === undefined ? null : <span lang="en"><UntrustedText text={medium.why} maxLength={200} /></span>}</p>
      ))}
      <button type="button" className={css['toggle']} aria-expanded={open} onClick={() => setOpen(!open)}>{t(open ? 'runs.told.close' : 'runs.told.open')}</button>
      {open ? <div className={css['text']} tabIndex={0} role="region" aria-label={t('runs.told.text')}><UntrustedText text={told.text} block maxLength={20_000} /></div> : null}
    </div>
  );
};

/** The text of a call's result as a model got it, beside the result as it was recorded; nothing where no model asked. */
export const ToldView = ({ invocationId }: { readonly invocationId: string }): ReactElement => {
  const { t } = useTranslation();
  const { state, reload } = useRequest('calls:told', { invocationId });
  return (
    <LoadedView of={state} what={t('runs.told.reading')} rows={1} retry={reload}>
      {({ told }) =>
        told.length === 0 ? null : (
          <section aria-label={t('runs.told.title')}>
            <h3 className={css['head']}>{t('runs.told.title')}</h3>
            {told.map((one) => <OneTold key={one.at} told={one} />)}
          </section>
        )
      }
    </LoadedView>
  );
};
