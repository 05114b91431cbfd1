import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Funnel, FunnelRequest, FunnelStage } from '../../shared/capability.ts';
import { funnelBars, reasonParts } from './funnel-words.ts';
import { RankedAs } from './RankedAs.tsx';
import { UntrustedText } from './UntrustedText.tsx';
import css from './FunnelChart.module.css';

const PAGE = 100;

/** A reason of the funnel in the user's language, with the host's code beside it. */
export const FunnelReason = ({ reason }: { readonly reason: string }): ReactElement => {
  const { t, i18n } = useTranslation();
  const { code, detail } = reasonParts(reason);
  const key = `parts.funnel.reasons.${code}`;
  if (code !== '' && i18n.exists(key)) return <>{t(key)}{detail === '' ? null : <> <code className={css['code']}><UntrustedText text={detail} maxLength={120} /></code></>}</>;
  if (code !== '' && i18n.exists(`code.${code}.sentence`)) return <>{t(`code.${code}.sentence`)} <code className={css['code']}>{code}</code></>;
  return <UntrustedText text={reason} maxLength={200} />;
};

export interface FunnelChartProps {
  readonly funnel: Funnel;
  /** opens one capability; without it the list is plain */
  readonly onOpen?: (capabilityId: string) => void;
  /** whose list is open at first */
  readonly opensAt?: FunnelStage;
}

/** The answer to "why does the agent not see my tool?": counts, each open to the list of what is in and what dropped out and why. */
export const FunnelChart = ({ funnel, onOpen, opensAt }: FunnelChartProps): ReactElement => {
  const { t, i18n } = useTranslation();
  const [open, setOpen] = useState<FunnelStage | null>(opensAt ?? null);
  const [shown, setShown] = useState(PAGE);
  const stage = funnel.stages.find((s) => s.stage === open);
  const undecided = funnel.stages.filter((s) => !s.evaluated);
  // a model was asked, and nothing narrows what this agent may use
  const unscoped = undecided.every((s) => s.stage === 'in_scope');
  const numbersOf = (carried: FunnelRequest): Record<string, string> => Object.fromEntries(Object.entries(carried).map(([name, value]) => [name, value.toLocaleString(i18n.language)]));
  const selection = stage?.stage === 'exposed' ? funnel.selection : undefined;
  const rankedAs = new Map(selection?.ranked.map((one) => [one.capabilityId, one]));
  const rank = (id: string): ReactElement | null => {
    const one = rankedAs.get(id);
    return one === undefined ? null : <RankedAs of={one} />;
  };
  const semantic = selection === undefined ? null : selection.semantic.tookPart ? 'took_part' : reasonParts(selection.semantic.reason ?? '').code;
  const isPinned = (id: string): boolean => funnel.pinned?.includes(id) === true;
  const name = (id: string): ReactElement =>
    onOpen === undefined ? <code className={css['id']}><UntrustedText text={id} /></code> : <button type="button" className={css['id']} onClick={() => onOpen(id)}><UntrustedText text={id} /></button>;
  return (
    <div>
      <div className={css['bars']}>
        {funnelBars(funnel).map((bar) => (
          <button key={bar.stage} type="button" className={css['bar']} aria-expanded={open === bar.stage} disabled={!bar.evaluated} title={t(`parts.funnel.${bar.stage}_why`)}
            aria-label={bar.evaluated ? t('parts.funnel.bar', { stage: t(`parts.funnel.${bar.stage}`), count: bar.count, lost: bar.lost }) : t(unscoped ? 'parts.funnel.bar_no_scope' : 'parts.funnel.bar_not_evaluated', { stage: t(`parts.funnel.${bar.stage}`) })}
            onClick={() => { setShown(PAGE); setOpen(open === bar.stage ? null : bar.stage); }}>
            <span className={css['count']}>{bar.evaluated ? bar.count : '–'}{bar.lost > 0 ? <span className={css['lost']}>−{bar.lost}</span> : null}</span>
            <span className={css['fill']} data-evaluated={bar.evaluated} style={{ height: `${Math.max(2, Math.round(bar.share * 46))}px` }} />
            <span className={css['stage']}>{t(`parts.funnel.${bar.stage}`)}</span>
          </button>
        ))}
      </div>
      {undecided.length === 0 ? null : <p className={css['note']}>{t(unscoped ? 'parts.funnel.no_scope' : 'parts.funnel.not_evaluated')}</p>}
      {funnel.request === undefined ? null : <p className={css['note']}>{t('parts.funnel.request', { ...numbersOf(funnel.request) })}</p>}
      {stage === undefined ? null : (
        <section className={css['list']} aria-label={t(`parts.funnel.${stage.stage}`)}>
          <p className={css['why']}>{t(`parts.funnel.${stage.stage}_why`)}</p>
          {semantic === null || !i18n.exists(`parts.funnel.semantic.${semantic}`) ? null : <p className={css['why']}>{t(`parts.funnel.semantic.${semantic}`)}</p>}
          {stage.lost.length === 0 ? null : <h3>{t('parts.funnel.dropped', { count: stage.lost.length })}</h3>}
          <ul>{stage.lost.slice(0, shown).map((l) => <li key={l.capabilityId}>{name(l.capabilityId)}<span className={css['reason']}><FunnelReason reason={l.reason} />{l.place === undefined || rankedAs.has(l.capabilityId) ? null : <> {t('parts.funnel.place', { at: l.place.at.toLocaleString(i18n.language), of: l.place.of.toLocaleString(i18n.language) })}</>}</span>{rank(l.capabilityId)}</li>)}</ul>
          <h3>{t('parts.funnel.kept', { count: stage.count })}</h3>
          <ul>{stage.capabilityIds.slice(0, shown).map((id) => <li key={id}>{name(id)}{isPinned(id) ? <span className={css['reason']}>{t('parts.funnel.pinned')}</span> : null}{rank(id)}</li>)}</ul>
          {Math.max(stage.lost.length, stage.capabilityIds.length) > shown ? <button type="button" className={css['more']} onClick={() => setShown(shown + 1000)}>{t('parts.funnel.more', { shown, total: Math.max(stage.lost.length, stage.capabilityIds.length) })}</button> : null}
        </section>
      )}
    </div>
  );
};
