import { Button, Progress } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MarketEntry, Preflight } from '../../../shared/market.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { act } from '../../stores/act.ts';
import classes from './EntryDetails.module.css';
import { dayWords, described, shareDone } from './source-words.ts';
import type { Installing } from './use-installing.ts';

interface EntryStandingProps {
  readonly entry: MarketEntry;
  /** the program that has to be there first and is not */
  readonly missing: Preflight | null;
  readonly installing: Installing | undefined;
}

/** What the person has to know before anything else: withdrawn, not to be started here, being installed, installed, older than the catalog's version. */
export function EntryStanding({ entry, missing, installing }: EntryStandingProps) {
  const { t, i18n } = useTranslation();
  const { withdrawn } = entry;
  return (
    <>
      {withdrawn && (
        <div role="note" className={classes['notice']}>
          <strong>{t('market.fact.withdrawn', { on: dayWords(withdrawn.since, i18n.language) })}</strong>
          <p>
            <UntrustedText text={described(withdrawn.reason, i18n.language)} maxLength={600} />{' '}
            {withdrawn.instead !== undefined && <a href={href.marketEntry(withdrawn.instead)}>{t('market.fact.instead', { id: withdrawn.instead })}</a>}
          </p>
        </div>
      )}
      {missing && (
        <div role="note" className={classes['notice']}>
          <strong>{t('market.missing.title', { program: missing.program })}</strong>
          <p>{t(i18n.exists(`market.missing.${missing.program}`) ? `market.missing.${missing.program}` : 'market.missing.other', { program: missing.program })}</p>
        </div>
      )}
      {installing && <InstallingNow installing={installing} />}
      {entry.installed.length > 0 && (
        <ul className={classes['installed']} aria-label={t('market.installedAs')}>
          {entry.installed.map((app) => (
            <li key={app.serverId} data-update={app.update !== null}>
              <span>
                {app.version === null ? t('market.installedApp') : t('market.installedVersion', { version: app.version })}{' '}
                <a href={href.server(app.serverId)} className="g-mono">
                  {app.serverId}
                </a>
                {app.update !== null && <> · {t('market.updateTo', { version: app.update })}</>}
              </span>
              {app.update !== null && (
                <Button component="a" variant="filled" h={26} px={9} href={href.server(app.serverId)}>
                  {t('market.toUpdate')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The present step with its amount, and a way to stop. */
function InstallingNow({ installing }: { readonly installing: Installing }) {
  const { t, i18n } = useTranslation();
  const [stopping, setStopping] = useState(false);
  const share = shareDone(installing);
  const step = `servers.install.step.${installing.step}`;
  const stop = async (): Promise<void> => {
    setStopping(true);
    if ((await act('servers:cancelInstall', { serverId: installing.serverId })) === null) setStopping(false);
  };
  return (
    <div className={classes['installing']}>
      <p role="status">
        {t('market.installingNow')} {i18n.exists(step) ? t(step) : installing.step}
      </p>
      <Progress value={share ?? 100} animated={share === null} striped={share === null} size={6} aria-label={t('market.installingNow')} />
      <Button h={26} px={9} loading={stopping} onClick={() => void stop()}>
        {t('market.stop')}
      </Button>
    </div>
  );
}
