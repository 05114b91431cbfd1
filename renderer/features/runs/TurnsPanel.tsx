import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import type { EvidenceEvent } from '../../../shared/run.ts';
import { CapabilityName } from '../../parts/CapabilityName.tsx';
import { FunnelChart, FunnelReason } from '../../parts/FunnelChart.tsx';
import { Hash } from '../../parts/Hash.tsx';
import { HistoryText } from '../../parts/HistoryText.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { recordedFunnel } from '../../parts/recorded-funnel.ts';
import { RenderingView } from '../../parts/RenderingView.tsx';
import { href } from '../../routes.ts';
import { useAppendedEvents } from '../../stores/use-appended-events.ts';
import { useRequest } from '../../stores/use-request.ts';
import { RequestView } from './RequestView.tsx';
import css from './TurnsPanel.module.css';
import { turnsOf, type Bound, type Turn } from './turns-of.ts';

type Shown = Turn['exposed'][number];

/** The host's own tools are bound to Gantry alone: nobody reviews them, and no server starts them. */
const isHosts = (capabilityId: string): boolean => parseCapabilityId(capabilityId)?.serverId === 'host';

const REVIEWERS = ['user', 'catalog'] as const;

/** Who reviewed it: the first word of a review's version. */
const reviewer = (review: string | null): 'user' | 'catalog' | 'nobody' => REVIEWERS.find((who) => review?.startsWith(`${who}:`)) ?? 'nobody';

/** What a call of this turn has to find unmoved: else nothing is sent. */
const BoundTo = ({ tool, bound }: { readonly tool: Shown; readonly bound: Bound }): ReactElement => {
  const { t } = useTranslation();
  const row = (part: 'definition' | 'launch' | 'instructions' | 'review', value: ReactElement | string): ReactElement => (
    <div key={part}>
      <dt>{t(`runs.bound.${part}`)}</dt>
      <dd>{value}{bound.moved.includes(part) ? <span className={css['moved']}>{t('runs.bound.moved')}</span> : null}</dd>
    </div>
  );
  return (
    <div className={css['bound']} role="group" aria-label={t('runs.bound.head')}>
      <h3 className={css['requestHead']}>{t('runs.bound.head')}</h3>
      <p className="g-small g-muted">{t('runs.bound.why')}</p>
      <dl>
        <div><dt>{t('runs.bound.whole')}</dt><dd><Hash value={bound.fingerprint} /></dd></div>
        {row('definition', <Hash value={tool.definitionFingerprint} />)}
        {row('launch', <Hash value={bound.launch} />)}
        {row('instructions', bound.instructions === null ? t('runs.bound.no_instructions') : <Hash value={bound.instructions} />)}
        {row('review', t(`runs.bound.by_${reviewer(bound.review)}`))}
      </dl>
    </div>
  );
};

const ShownTool = ({ tool }: { readonly tool: Shown }): ReactElement => {
  const { t } = useTranslation();
  const isOwn = isHosts(tool.capabilityId);
  const { state, reload } = useRequest('renderings:get', { capabilityId: tool.capabilityId, routeId: tool.form, definitionFingerprint: tool.definitionFingerprint, hostField: tool.hostField });
  return (
    <div className={css['rendering']}>
      <p className={css['capability']}><CapabilityName id={tool.capabilityId} /></p>
      {tool.bound === null || isOwn ? null : <BoundTo tool={tool} bound={tool.bound} />}
      <LoadedView of={state} what={t('runs.reading_rendering')} rows={3} retry={reload}>{({ original, rendering }) => <RenderingView original={original} rendering={rendering} own={isOwn} />}</LoadedView>
    </div>
  );
};

const openCapability = (capabilityId: string): void => { location.hash = href.capability(capabilityId); };

/** How the tools of a turn came to be shown: at which place each was ranked and why, and where the others dropped out. */
const Ranking = ({ row, principal }: { readonly row: EvidenceEvent; readonly principal: string }): ReactElement => {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const funnel = useMemo(() => recordedFunnel(row, principal), [row, principal]);
  return (
    <div>
      <button type="button" className={css['fold']} aria-expanded={open} onClick={() => setOpen(!open)}>{t('runs.turn_ranking')} <span className="g-muted">{t('runs.turn_ranked', { count: funnel.selection?.of ?? funnel.stages.at(-1)?.count ?? 0 })}</span></button>
      {open ? <FunnelChart funnel={funnel} opensAt="exposed" onOpen={openCapability} /> : null}
    </div>
  );
};

/** More of them stand behind a button: what the model was sent is further below. */
const FEW_TOOLS = 12;

const TurnView = ({ runId, principal, turn, place }: { readonly runId: string; readonly principal: string; readonly turn: Turn; /** among the requests of the run */ readonly place: number }): ReactElement => {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const [tool, setTool] = useState<string | null>(null);
  const [whole, setWhole] = useState(false);
  const { missed } = turn;
  const shownTools = whole || turn.exposed.length <= FEW_TOOLS ? turn.exposed : turn.exposed.slice(0, FEW_TOOLS);
  const chosen = turn.exposed.find((one) => one.capabilityId === tool);
  return (
    <li>
      <button type="button" className={css['head']} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span>{t('runs.turn_head', { turn: turn.turn, model: turn.model, route: t(`parts.rendering.route.${turn.route}`) })}</span>
        <span className="g-muted">{t('runs.turn_tools', { count: turn.exposed.length })}{missed.length === 0 ? '' : ` · ${t('runs.turn_lost', { count: missed.length })}`}</span>
      </button>
      {open ? (
        <div className={css['body']}>
          <ul className={css['tools']}>
            {shownTools.map((one) => (
              <li key={one.capabilityId}>
                <button type="button" aria-expanded={one.capabilityId === tool} onClick={() => setTool(one.capabilityId === tool ? null : one.capabilityId)}><code>{one.name}</code></button>
                <span className={css['state']} data-state={one.state}>{t(isHosts(one.capabilityId) && one.state === 'unchanged' ? 'parts.rendering.own' : `parts.rendering.state.${one.state}`)}{one.form === turn.route ? '' : ` (${t(`parts.rendering.route.${one.form}`)})`}</span>
                {one.bound === null || one.bound.moved.length === 0 ? null : <span className={css['moved']}>{t('runs.bound.moved_since', { parts: one.bound.moved.map((part) => t(`runs.bound.part.${part}`)).join(t('runs.bound.and')) })}</span>}
              </li>
            ))}
            {turn.exposed.length > FEW_TOOLS ? <li><button type="button" aria-expanded={whole} onClick={() => setWhole(!whole)}>{t(whole ? 'runs.turn_fewer' : 'runs.turn_all', { count: turn.exposed.length })}</button></li> : null}
          </ul>
          {chosen === undefined ? null : <ShownTool key={chosen.capabilityId} tool={chosen} />}
          {missed.length === 0 || !whole && turn.exposed.length > FEW_TOOLS ? null : <ul className={css['tools']}>{missed.map((one) => <li key={one.capabilityId}><CapabilityName id={one.capabilityId} maxLength={120} /><span className={css['state']}><FunnelReason reason={one.reason} /></span></li>)}</ul>}
          {turn.history === null ? null : <HistoryText of={turn.history} />}
          <Ranking row={turn.row} principal={principal} />
          <RequestView runId={runId} place={place} turn={turn.turn} />
        </div>
      ) : null}
    </li>
  );
};

/** The first ones: all stand in the evidence below. */
const MOST_TURNS = 100;

/** What the model was asked with, turn by turn: the tools as it saw them, beside the originals, and what was not shown and why. */
export const TurnsPanel = ({ runId, principal, version }: { readonly runId: string; readonly principal: string; readonly version: number }): ReactElement | null => {
  const { t } = useTranslation();
  const { state } = useAppendedEvents({ runId, types: ['turn.request'], leaveOut: ['request'], limit: MOST_TURNS }, version);
  const turns = useMemo(() => (state.phase === 'ready' ? turnsOf(state.value) : []), [state]);
  if (turns.length === 0) return null;
  return (
    <section className={`g-panel ${css['panel']}`} aria-label={t('runs.turns')}>
      <h2 className="g-heading">{t('runs.turns')}</h2>
      <ol className={css['turns']}>{turns.map((turn, place) => <TurnView key={turn.turn} runId={runId} principal={principal} turn={turn} place={place} />)}</ol>
    </section>
  );
};
