import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Licence } from '../../../shared/shell.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useRequest } from '../../stores/use-request.ts';
import css from './Settings.module.css';

const Text = ({ licence }: { readonly licence: Licence }): ReactElement => {
  const { t } = useTranslation();
  const { state } = useRequest('about:licence', { name: licence.name, version: licence.version });
  return <LoadedView of={state} what={t('settings.licences.reading')} rows={2}>{(value) => <div className={css['licenceText']} tabIndex={0} role="group" aria-label={licence.name}><UntrustedText block text={value.text ?? ''} /></div>}</LoadedView>;
};

const Row = ({ licence }: { readonly licence: Licence }): ReactElement => {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <li className={css['licence']}>
      <span className={css['licenceName']}><code>{licence.name}</code> <span className="g-small g-muted">{licence.version}</span></span>
      <span className="g-small">{licence.license}</span>
      {licence.hasText ? <button type="button" className={css['link']} aria-expanded={open} aria-label={t(open ? 'settings.licences.hide_of' : 'settings.licences.show_of', { name: licence.name })} onClick={() => setOpen(!open)}>{t(open ? 'settings.licences.hide' : 'settings.licences.show')}</button> : <span className="g-small g-muted">{t('settings.licences.no_text')}</span>}
      {open ? <Text licence={licence} /> : null}
    </li>
  );
};

const All = (): ReactElement => {
  const { t } = useTranslation();
  const { state, reload } = useRequest('about:licences', {});
  return <LoadedView of={state} what={t('settings.licences.reading')} retry={reload}>{({ licences }) => <ul className={css['licences']} aria-label={t('app.section.licences')}>{licences.map((one) => <Row key={`${one.name}@${one.version}`} licence={one} />)}</ul>}</LoadedView>;
};

/** Everybody else's work that ships with Gantry, with its terms. */
export const LicencesSection = (): ReactElement => {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <section className="g-panel" aria-label={t('app.section.licences')}>
      <div className={css['head']}>
        <h2 className="g-heading">{t('app.section.licences')}</h2>
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>{t(open ? 'settings.licences.close' : 'settings.licences.open')}</Button>
      </div>
      <p className={css['hint']}>{t('settings.licences.means')}</p>
      {open ? <All /> : null}
    </section>
  );
};
