import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { act } from '../stores/act.ts';
import { useHealth } from '../stores/health.ts';
import classes from './Frame.module.css';
import { NoticeBanner } from './NoticeBanner.tsx';

/** As long may a moment's loss last; then Gantry has most likely ended. */
const ENDED_AFTER_MS = 8_000;

/** What concerns every page: the host cannot be reached, everything is stopped, the database cannot be written, and what the host met since it started. */
export function Banners() {
  const { t } = useTranslation();
  const { health, connection, refused } = useHealth();
  const [ended, setEnded] = useState(false);
  useEffect(() => {
    setEnded(false);
    if (connection === 'connected') return undefined;
    const wait = setTimeout(() => setEnded(true), ENDED_AFTER_MS);
    return () => clearTimeout(wait);
  }, [connection]);

  if (connection === 'lost') {
    const said = refused ?? (ended ? 'ended' : 'lost');
    return (
      <div className={classes['banner']} role="alert">
        <p>
          <strong>{t(`app.banner.${said}.title`)}</strong> {t(`app.banner.${said}.body`)}
        </p>
      </div>
    );
  }
  if (health.phase !== 'ready') return null;
  return (
    <>
      {health.value.stopped && (
        <div className={classes['banner']} role="status">
          <p>
            <strong>{t('app.banner.stopped.title')}</strong> {t('app.banner.stopped.body')}
          </p>
          <Button onClick={() => void act('calls:resume', {})}>{t('app.resume')}</Button>
        </div>
      )}
      {health.value.store.state !== 'ok' && (
        <div className={classes['banner']} role="alert">
          <p>
            <strong>{t(`app.banner.store.${health.value.store.state}`)}</strong> {t('app.banner.store.body')} {health.value.store.detail}
          </p>
        </div>
      )}
      <NoticeBanner notices={health.value.notices} />
    </>
  );
}
