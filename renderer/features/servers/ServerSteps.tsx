import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerDetail } from '../../../shared/server.ts';
import { TimeText } from '../../parts/TimeText.tsx';
import { duration } from '../../parts/times.ts';
import { stepsOf } from './server-steps.ts';
import classes from './ServerPage.module.css';

/** Installed, connected, discovered, Agent Access: how far, when, and by which fact. */
export function ServerSteps({ server }: { readonly server: ServerDetail }) {
  const { t, i18n } = useTranslation();
  return (
    <ol className={classes['steps']} aria-label={t('servers.step.title')}>
      {stepsOf(server, t, (ms) => duration(ms, i18n.language)).map((step) => (
        <li key={step.key}>
          <div className={classes['bar']} data-failed={step.tone === 'failed'} data-waits={step.tone === 'waits'} aria-hidden="true">
            <span style={{ width: `${Math.round(step.share * 100)}%` }} />
          </div>
          <h2>{t(`servers.step.${step.title}`)}</h2>
          <p>
            {step.at !== null && (
              <>
                <TimeText at={step.at} />
                {' · '}
              </>
            )}
            {step.facts.map((fact, at) => (
              <Fragment key={fact}>
                {at > 0 && ' · '}
                {fact}
              </Fragment>
            ))}
          </p>
        </li>
      ))}
    </ol>
  );
}
