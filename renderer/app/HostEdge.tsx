import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { countStates } from '../features/servers/server-counts.ts';
import { href } from '../routes.ts';
import { act } from '../stores/act.ts';
import { useHealth } from '../stores/health.ts';
import { useServers } from '../stores/servers.ts';
import { useWaitingQuestions } from '../stores/questions.ts';
import classes from './HostEdge.module.css';

/** The host's state in words, never a lone dot, and the one button that stops every call at once (no question first: it is undone by Resume). */
export function HostEdge() {
  const { t } = useTranslation();
  const { health, connection, refused } = useHealth();
  const asked = useWaitingQuestions().length;
  const listed = useServers((state) => state.servers);
  if (connection === 'lost' || health.phase === 'failed') {
    return (
      <footer className={classes['edge']}>
        <span className={classes['bad']}>{t(refused === null ? 'app.edge.lost' : 'app.edge.noRight')}</span>
      </footer>
    );
  }
  if (health.phase === 'loading') return <footer className={classes['edge']}>{t('app.edge.starting')}</footer>;
  const { servers, awaitingApprovals, needsReview, runningCalls, stopped, ready, required, secrets } = health.value;
  const parts = listed.phase === 'ready' ? countStates(listed.value).map(({ state, count }) => t(`app.edge.of.${state}`, { count })) : [];
  const waitsFor = required.find((one) => one.state !== 'ready');
  return (
    <footer className={classes['edge']}>
      {(stopped || !ready || secrets.state !== 'locked') && <span>{stopped ? t('app.edge.stopped') : ready ? t('app.edge.isReady') : waitsFor ? t('app.edge.notReady', { name: waitsFor.serverId }) : t('app.edge.starting')}</span>}
      {secrets.state === 'locked' && (
        <a className={classes['loud']} href={href.settings('secrets')}>
          {t('app.edge.secretsLocked')}
        </a>
      )}
      <a href={href.servers()}>
        {t('app.edge.servers', { count: listed.phase === 'ready' ? listed.value.length : servers.total })}
        {parts.length > 0 && t('app.edge.ofThem', { parts: parts.join(t('app.edge.comma')) })}
      </a>
      {runningCalls > 0 && <a href={href.runs()}>{t('app.edge.running', { count: runningCalls })}</a>}
      {needsReview > 0 && <a href={href.capabilities()}>{t('app.edge.review', { count: needsReview })}</a>}
      {awaitingApprovals > 0 && (
        <a className={classes['loud']} href={href.approvals()}>
          {t('app.edge.approvals', { count: awaitingApprovals })}
        </a>
      )}
      {asked > 0 && (
        <a className={classes['loud']} href={href.questions()}>
          {t('app.edge.questions', { count: asked })}
        </a>
      )}
      <VisuallyHidden role="status">{[...(awaitingApprovals > 0 ? [t('app.edge.approvals', { count: awaitingApprovals })] : []), ...(asked > 0 ? [t('app.edge.questions', { count: asked })] : [])].join(t('app.edge.comma'))}</VisuallyHidden>
      {!stopped && (
        <button type="button" className={classes['stop']} title={t('app.stopAllMeans')} onClick={() => void act('calls:stopAll', {})}>
          {t('app.stopAll')}
        </button>
      )}
    </footer>
  );
}
