import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityDetail } from '../../../shared/capability.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { Hash } from '../../parts/Hash.tsx';
import { JsonView } from '../../parts/JsonView.tsx';
import { FunnelReason } from '../../parts/FunnelChart.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { SchemaDefect } from '../../parts/SchemaDefect.tsx';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { useCapabilities } from '../../stores/capabilities.ts';
import { useServers } from '../../stores/servers.ts';
import { useRequest } from '../../stores/use-request.ts';
import { AgentStanding } from './AgentStanding.tsx';
import { Changes } from './Changes.tsx';
import css from './Capabilities.module.css';
import { DefinitionWords } from './DefinitionWords.tsx';
import { Flags } from './Flags.tsx';
import { ModelView } from './ModelView.tsx';
import { ResourceFacts } from './ResourceFacts.tsx';
import { ReviewForm } from './ReviewForm.tsx';

const SchemaFacts = ({ capability }: { readonly capability: CapabilityDetail }): ReactElement => {
  const { t } = useTranslation();
  const detail = capability.schemaDetail;
  const places = detail.state === 'partly_checked' ? detail.places : detail.state === 'excluded' ? [detail] : [];
  return (
    <section className="g-panel" aria-label={t('capabilities.schema')}>
      <h2 className="g-heading">{t('capabilities.schema')}</h2>
      <p className={css['schemaState']} data-state={detail.state}>{t(`capabilities.schema_state.${detail.state}`)}</p>
      {places.length === 0 ? null : <ul className={css['flags']}>{places.slice(0, 50).map((p, i) => <li key={i}><code className="g-mono">{p.pointer === '' ? '/' : <UntrustedText text={p.pointer} maxLength={200} />}</code> <SchemaDefect code={p.code} reason={p.reason} /></li>)}</ul>}
      {capability.definition.inputSchema === undefined ? <p className="g-muted">{t('capabilities.no_input_schema')}</p> : <JsonView text={JSON.stringify(capability.definition.inputSchema)} label={t('capabilities.input_schema')} maxHeight={300} />}
      {capability.definition.outputSchema === undefined ? null : <><h3 className="g-heading">{t('capabilities.output_schema')}</h3><JsonView text={JSON.stringify(capability.definition.outputSchema)} label={t('capabilities.output_schema')} maxHeight={220} /></>}
    </section>
  );
};

const Loaded = ({ capability, tryOut }: { readonly capability: CapabilityDetail; readonly tryOut: ReactNode }): ReactElement => {
  const { t } = useTranslation();
  const servers = useServers((s) => s.servers);
  const server = servers.phase === 'ready' ? servers.value.find((s) => s.id === capability.serverId) : undefined;
  return (
    <div>
      <header className={css['pageHead']}>
        <h1 className="g-title"><UntrustedText text={capability.name} maxLength={200} /> <TierBadge tier={capability.tier} /></h1>
        <p className={css['sub']}>
          <code className="g-mono"><UntrustedText text={capability.id} /></code> <CopyButton text={capability.id} name={t('capabilities.column.id')} /> · {t(`capabilities.kind.${capability.kind}`)} · <a href={href.server(capability.serverId)}><UntrustedText text={server?.name ?? capability.serverId} /></a> · {t('capabilities.first_seen')} <TimeText at={capability.firstSeenAt} /> · <Hash value={capability.definitionFingerprint} label={t('capabilities.definition_fingerprint')} />
        </p>
        {capability.available ? null : <p className={css['unavailable']} role="status">{t('capabilities.not_available')}{capability.unavailableReason === undefined ? null : <FunnelReason reason={capability.unavailableReason} />}</p>}
      </header>
      <div className={css['columns']}>
        <div className={css['column']}>
          {capability.needsReview ? (
            <section className="g-panel" data-awaits="true">
              {capability.changes.length > 0 ? <Changes changes={capability.changes} /> : null}
              <DefinitionWords definition={capability.definition} />
              <Flags flags={capability.flags} />
              <ReviewForm key={capability.definitionFingerprint} capability={capability} />
            </section>
          ) : null}
          <section className="g-panel" aria-label={t('capabilities.try')}><h2 className="g-heading">{t(capability.kind === 'tool' ? 'capabilities.try' : `capabilities.use_${capability.kind}`)}</h2>{tryOut}</section>
          {capability.needsReview ? null : <section className="g-panel"><DefinitionWords definition={capability.definition} /><Flags flags={capability.flags} /></section>}
          {capability.kind === 'tool' ? <SchemaFacts capability={capability} /> : <ResourceFacts capability={capability} />}
          {capability.kind === 'tool' ? <ModelView capability={capability} /> : null}
        </div>
        <div className={css['column']}>
          <AgentStanding capability={capability} />
          {capability.needsReview ? null : <section className="g-panel"><ReviewForm key={`${capability.definitionFingerprint}-${capability.tier}`} capability={capability} /></section>}
        </div>
      </div>
    </div>
  );
};

/** One capability: whether the agent may use it and why, what the server says of it, how it was reviewed, and a form to try it. */
export const CapabilityPage = ({ capabilityId, tryOut }: { readonly capabilityId: string; readonly tryOut: ReactNode }): ReactElement => {
  const { t } = useTranslation();
  const revision = useCapabilities((s) => s.revision);
  const { state, reload } = useRequest('capabilities:get', { capabilityId }, revision);
  return <LoadedView of={state} what={t('capabilities.reading_one')} rows={6} retry={reload} list={{ to: href.capabilities(), words: t('parts.gone.capabilities') }}>{(value) => <Loaded capability={value.capability} tryOut={tryOut} />}</LoadedView>;
};
