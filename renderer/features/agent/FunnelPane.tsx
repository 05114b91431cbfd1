import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { carriedHistory } from '../../parts/carried-history.ts';
import { FunnelChart } from '../../parts/FunnelChart.tsx';
import { HistoryText } from '../../parts/HistoryText.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { recordedFunnel } from '../../parts/recorded-funnel.ts';
import { href } from '../../routes.ts';
import { useAppendedEvents } from '../../stores/use-appended-events.ts';
import { useCapabilities } from '../../stores/capabilities.ts';
import { useRequest } from '../../stores/use-request.ts';
import { useRunVersion } from '../../stores/use-run-version.ts';
import css from './Agent.module.css';

const open = (capabilityId: string): void => { location.hash = href.capability(capabilityId); };

const OfRun = ({ runId, principal }: { readonly runId: string; readonly principal: string }): ReactElement => {
  const { t } = useTranslation();
  const version = useRunVersion(runId);
  const { state, reload } = useAppendedEvents({ runId, types: ['turn.request'], leaveOut: ['request', 'sources'], limit: 200 }, version);
  return (
    <LoadedView of={state} what={t('agent.funnel.reading')} rows={3} retry={reload}>
      {(events) => {
        const last = events.at(-1);
        if (last === undefined) return <OfNow principal={principal} />;
        const history = carriedHistory(last);
        return (
          <>
            <p className="g-small g-muted">{t('agent.funnel.of_turn', { turn: Number(last.data['turn']) || events.length })}</p>
            <FunnelChart funnel={recordedFunnel(last, principal)} onOpen={open} />
            {history === null ? null : <HistoryText of={history} />}
          </>
        );
      }}
    </LoadedView>
  );
};

const OfNow = ({ principal }: { readonly principal: string }): ReactElement => {
  const { t } = useTranslation();
  const revision = useCapabilities((s) => s.revision);
  const { state, reload } = useRequest('funnel:get', { principal }, revision);
  return <LoadedView of={state} what={t('agent.funnel.reading')} rows={3} retry={reload}>{(funnel) => <><p className="g-small g-muted">{t('agent.funnel.now')}</p><FunnelChart funnel={funnel} onOpen={open} /></>}</LoadedView>;
};

/** What the agent could see in the last turn, and why not the rest; before a turn, what it could see now. */
export const FunnelPane = ({ runId, principal }: { readonly runId: string | null; readonly principal: string }): ReactElement => {
  const { t } = useTranslation();
  return (
    <section className={`g-panel ${css['funnel']}`} aria-label={t('agent.funnel.title')}>
      <h2 className="g-heading">{t('agent.funnel.title')}</h2>
      {runId === null ? <OfNow principal={principal} /> : <OfRun runId={runId} principal={principal} />}
    </section>
  );
};
