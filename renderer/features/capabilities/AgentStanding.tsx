import { Checkbox, Switch } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityDetail } from '../../../shared/capability.ts';
import { BUILT_IN_AGENT } from '../../../shared/principal.ts';
import { decider } from '../../parts/decider.ts';
import { escapeHidden } from '../../parts/hidden-characters.ts';
import { FunnelChart, FunnelReason } from '../../parts/FunnelChart.tsx';
import { funnelEnd, funnelLoss, READ_INSTEAD } from '../../parts/funnel-words.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { PrincipalName } from '../../parts/PrincipalName.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { href } from '../../routes.ts';
import { useCapabilities } from '../../stores/capabilities.ts';
import { usePinned } from '../../stores/use-pinned.ts';
import { useRequest } from '../../stores/use-request.ts';
import { AccessOutcomeView } from './AccessOutcomeView.tsx';
import { isAllowed, mayBeAllowed } from './capability-filter.ts';
import css from './Capabilities.module.css';
import { useAccess } from './use-access.ts';

const History = ({ capability, version }: { readonly capability: CapabilityDetail; readonly version: unknown }): ReactElement => {
  const { t } = useTranslation();
  const { state, reload } = useRequest('access:history', { serverId: capability.serverId, limit: 1000 }, version);
  return (
    <section className="g-panel" aria-label={t('capabilities.history')}>
      <h2 className="g-heading">{t('capabilities.history')}</h2>
      <LoadedView of={state} what={t('capabilities.reading_history')} rows={2} retry={reload}>
        {({ changes }) => {
          const own = changes.filter((c) => c.capabilityId === capability.id).sort((a, b) => b.at - a.at);
          if (own.length === 0) return <p className={css['nothing']}>{t('capabilities.history_none')}</p>;
          return <ul className={css['history']}>{own.slice(0, 50).map((c, i) => <li key={i}><span><TimeText at={c.at} /></span><span>{t(c.allowed ? 'capabilities.history_allowed' : 'capabilities.history_withdrawn')}<PrincipalName principal={c.principal} within /></span><span className="g-small g-muted">{t('capabilities.history_by')}{decider(c.by, t)}</span></li>)}</ul>;
        }}
      </LoadedView>
    </section>
  );
};

const Pin = ({ capability }: { readonly capability: CapabilityDetail }): ReactElement => {
  const { t } = useTranslation();
  const [pinned, pin] = usePinned(capability.id);
  return <Checkbox size="xs" checked={pinned} label={t('capabilities.pin.always')} description={t('capabilities.pin.why')} onChange={(e) => pin(e.currentTarget.checked)} />;
};

/** Whether the agent may use it now and, if not, at which step of the funnel it drops out and why. */
export const AgentStanding = ({ capability }: { readonly capability: CapabilityDetail }): ReactElement => {
  const { t } = useTranslation();
  const revision = useCapabilities((s) => s.revision);
  const { outcome, set, forget } = useAccess();
  const { state: inUse } = useRequest('models:get', {});
  // with a model set up, the stages of its requests are evaluated, too
  const route = inUse.phase === 'ready' ? inUse.value.model?.routeId : undefined;
  const { state, reload } = useRequest('funnel:get', { principal: BUILT_IN_AGENT, serverId: capability.serverId, ...(route === undefined ? {} : { route }) }, revision);
  const allowed = isAllowed(capability);
  const may = allowed || mayBeAllowed(capability);
  return (
    <>
      <section className="g-panel" aria-label={t('capabilities.access.title')}>
        <div className={css['accessHead']}>
          <h2 className="g-heading">{t('capabilities.access.title')}</h2>
          <Switch checked={allowed} disabled={!may || outcome.phase === 'busy'} label={t(allowed ? 'capabilities.access.is_allowed' : 'capabilities.access.is_not')} aria-label={t('capabilities.access.for', { name: escapeHidden(capability.name) })} labelPosition="left" onChange={(e) => void set([capability.id], e.currentTarget.checked)} />
        </div>
        {may ? null : <p className={css['nothing']}>{t(capability.kind === 'prompt' ? 'capabilities.access.prompt_by_person' : 'capabilities.access.review_first')}</p>}
        {capability.kind === 'tool' ? <Pin capability={capability} /> : null}
        {outcome.phase === 'failed' || (outcome.phase === 'done' && outcome.skipped.length > 0) ? <AccessOutcomeView outcome={outcome} onUndo={(ids, to) => void set(ids, to)} onClose={forget} /> : null}
        {capability.grantedTo.filter((p) => p !== BUILT_IN_AGENT).length === 0 ? null : <p className="g-small">{t('capabilities.access.also')}{capability.grantedTo.filter((p) => p !== BUILT_IN_AGENT).map((p) => <span key={p} className={css['principal']}><PrincipalName principal={p} within /></span>)}</p>}
      </section>
      <section className="g-panel" aria-label={t('capabilities.funnel')}>
        <LoadedView of={state} what={t('capabilities.reading_funnel')} rows={3} retry={reload}>
          {(funnel) => {
            const loss = funnelLoss(funnel, capability.id);
            const end = funnelEnd(funnel);
            return (
              <>
                <h2 className="g-heading">{t('capabilities.funnel_of', { seen: end.seen, count: end.of })}</h2>
                <p className={css['funnelWords']}>{loss === null ? t('capabilities.funnel_in') : loss.reason === READ_INSTEAD ? <>{t('capabilities.funnel_in')} <FunnelReason reason={loss.reason} /></> : <>{t('capabilities.funnel_out', { stage: t(`parts.funnel.${loss.stage}`) })}<FunnelReason reason={loss.reason} /></>}</p>
                <FunnelChart funnel={funnel} onOpen={(id) => { location.hash = href.capability(id); }} />
              </>
            );
          }}
        </LoadedView>
      </section>
      <History capability={capability} version={revision} />
    </>
  );
};
