import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BUILT_IN_AGENT } from '../../../shared/principal.ts';
import type { ServerDetail } from '../../../shared/server.ts';
import { FourAnswers } from '../../parts/FourAnswers.tsx';
import { FunnelChart } from '../../parts/FunnelChart.tsx';
import { funnelEnd } from '../../parts/funnel-words.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { href } from '../../routes.ts';
import { useCapabilities } from '../../stores/capabilities.ts';
import { useRequest } from '../../stores/use-request.ts';
import { CapabilityList } from './CapabilityList.tsx';
import { LogsDrawer } from './LogsDrawer.tsx';
import { MarketNotice } from './MarketNotice.tsx';
import { NextStep } from './NextStep.tsx';
import { QuarantineNotice } from './QuarantineNotice.tsx';
import { ContactedPanel } from './reach/ContactedPanel.tsx';
import { emptyClaim } from './server-claims.ts';
import { RootsPanel } from './RootsPanel.tsx';
import { ServerHeader } from './ServerHeader.tsx';
import classes from './ServerPage.module.css';
import { SignInPanel } from './sign-in/SignInPanel.tsx';
import { ServerSteps } from './ServerSteps.tsx';
import { UnreadableServer } from './UnreadableServer.tsx';
import { useServer } from './use-server.ts';

/** One server: what it is, how far it came, the four answers, why the agent sees what it sees, and every capability with its switch. */
export function ServerPage({ serverId, questions }: { readonly serverId: string; /** what it may ask and has asked */ readonly questions: ReactNode }) {
  const { t } = useTranslation();
  const { server, reload } = useServer(serverId);
  if (server.phase === 'failed' && server.fault.code === 'not_found') {
    return (
      <StateView
        kind="empty"
        page
        title={t('servers.gone.title')}
        body={t('servers.gone.body', { id: serverId })}
        action={
          <Button component="a" href={href.servers()}>
            {t('servers.gone.go')}
          </Button>
        }
      />
    );
  }
  if (server.phase === 'failed' && server.fault.code === 'row_unreadable') return <UnreadableServer serverId={serverId} fault={server.fault} />;
  return (
    <LoadedView of={server} what={t('servers.loadingOne')} rows={8} retry={reload}>
      {(value) => <ServerView server={value} questions={questions} />}
    </LoadedView>
  );
}

function ServerView({ server, questions }: { readonly server: ServerDetail; readonly questions: ReactNode }) {
  const { t } = useTranslation();
  const [logs, setLogs] = useState(false);
  return (
    <div className={classes['page']}>
      <ServerHeader server={server} onLogs={() => setLogs(true)} />
      {server.quarantinedAt !== null && <QuarantineNotice server={server} />}
      {server.marketEntryId !== undefined && <MarketNotice server={server} entryId={server.marketEntryId} />}
      <ServerSteps server={server} />
      {server.signIn !== null && <SignInPanel server={server} signIn={server.signIn} />}
      <NextStep server={server} onLogs={() => setLogs(true)} />
      <div className={classes['pair']}>
        <section className={`g-panel ${classes['answers']}`} aria-label={t('servers.answers')}>
          <h2 className="g-heading">{t('servers.answers')}</h2>
          <FourAnswers answers={server.answers} reading={emptyClaim(server) === 'reading'} />
        </section>
        <Funnel serverId={server.id} version={server} />
      </div>
      <CapabilityList server={server} />
      <div className={classes['pair']}>
        {questions}
        <RootsPanel server={server} />
      </div>
      <ContactedPanel server={server} />
      <LogsDrawer server={server} opened={logs} onClose={() => setLogs(false)} />
    </div>
  );
}

function Funnel({ serverId, version }: { readonly serverId: string; readonly version: ServerDetail }) {
  const { t } = useTranslation();
  const revision = useCapabilities((state) => state.revision);
  const { state, reload } = useRequest('funnel:get', { principal: BUILT_IN_AGENT, serverId }, `${revision} ${version.state} ${version.grantedCount}`);
  const end = state.phase === 'ready' ? funnelEnd(state.value) : null;
  return (
    <section className="g-panel" aria-label={t('servers.funnel.title')}>
      <h2 className="g-heading">{end && end.of > 0 ? t('servers.funnel.sees', { count: end.seen, total: end.of }) : t('servers.funnel.title')}</h2>
      <LoadedView of={state} what={t('servers.funnel.loading')} retry={reload}>
        {(funnel) =>
          funnelEnd(funnel).of === 0 ? (
            <p className="g-muted g-small">{t(emptyClaim(version) === 'reading' ? 'servers.funnel.reading' : 'servers.funnel.nothing')}</p>
          ) : (
            <FunnelChart
              funnel={funnel}
              onOpen={(capabilityId) => {
                location.hash = href.capability(capabilityId);
              }}
            />
          )
        }
      </LoadedView>
    </section>
  );
}
