import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { href } from '../../routes.ts';
import { useHealth } from '../../stores/health.ts';
import css from './Settings.module.css';

/** How those who make it write its name. */
const NAMES: Readonly<Record<string, string>> = { gantry: 'Gantry', node: 'Node.js', electron: 'Electron', chrome: 'Chromium', sqlite: 'SQLite' };

/** Which shell carries the window, and the versions of what runs. */
export const AboutSection = (): ReactElement => {
  const { t } = useTranslation();
  const health = useHealth((s) => s.health);
  return (
    <section className="g-panel" aria-label={t('app.section.about')}>
      <h2 className="g-heading">{t('app.section.about')}</h2>
      <p><a href={href.help()}>{t('settings.guide')}</a></p>
      <LoadedView of={health} what={t('settings.reading')} rows={3}>
        {(value) => (
          <dl className={css['facts']}>
            <div><dt>{t('settings.shell')}</dt><dd>{t(`settings.shells.${value.shell}`)}</dd></div>
            <div><dt>{t('settings.store')}</dt><dd>{t(`settings.stores.${value.store.state}`)}</dd></div>
            <div><dt>{t('settings.running_since')}</dt><dd><TimeText at={value.startedAt} /></dd></div>
            {Object.entries(value.versions).map(([name, version]) => <div key={name}><dt>{NAMES[name] ?? name}</dt><dd><code>{version}</code></dd></div>)}
          </dl>
        )}
      </LoadedView>
    </section>
  );
};
