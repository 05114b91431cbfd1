import { useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlannedTool } from '../../../shared/planner.ts';
import { FunnelReason } from '../../parts/FunnelChart.tsx';
import { escapeHidden } from '../../parts/hidden-characters.ts';
import { listMove } from '../../parts/keys.ts';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import css from './Planner.module.css';

const WordsOf = ({ tool }: { readonly tool: PlannedTool }): ReactElement | null => {
  const { t } = useTranslation();
  if (tool.reasons.length === 0 && tool.matched.length === 0) return null;
  return (
    <p className={css['why']}>
      {tool.reasons.length === 0 ? null : <span>{t('planner.why', { reasons: tool.reasons.map((reason) => t(`planner.reason.${reason}`)).join(t('planner.comma')) })}</span>}
      {tool.matched.length === 0 ? null : <span>{t('planner.words', { words: tool.matched.join(t('planner.comma')) })}</span>}
    </p>
  );
};

export interface PlannedListProps {
  readonly label: string;
  readonly tools: readonly PlannedTool[];
  /** the place of the first */
  readonly from: number;
  readonly chosen: string | null;
  readonly onChoose: (tool: PlannedTool, rank: number) => void;
}

/** Tools for a request, best first, by arrow keys; each says why it is here, and where it is not available, why not. */
export const PlannedList = ({ label, tools, from, chosen, onChoose }: PlannedListProps): ReactElement => {
  const { t } = useTranslation();
  const list = useRef<HTMLOListElement>(null);
  const [active, setActive] = useState(0);
  const at = Math.min(active, tools.length - 1);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const way = listMove(event);
    const to = way === 'down' ? at + 1 : way === 'up' ? at - 1 : way === 'first' ? 0 : way === 'last' ? tools.length - 1 : null;
    if (to === null) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(tools.length - 1, to));
    setActive(next);
    list.current?.querySelectorAll<HTMLElement>('[data-row]')[next]?.focus();
  };
  return (
    <ol ref={list} className={css['tools']} aria-label={label} start={from}>
      {tools.map((tool, index) => (
        <li key={tool.capabilityId} className={css['tool']} data-chosen={tool.capabilityId === chosen}>
          <span className={css['rank']} aria-hidden="true">{from + index}</span>
          <div className={css['about']}>
            <p className={css['name']}>
              <button type="button" data-row tabIndex={index === at ? 0 : -1} aria-pressed={tool.capabilityId === chosen} disabled={!tool.usable} aria-label={t('planner.take', { name: escapeHidden(tool.name) })}
                onFocus={() => setActive(index)} onKeyDown={onKeyDown} onClick={() => onChoose(tool, from + index)}><UntrustedText text={tool.name} maxLength={90} /></button>
              <span className={css['server']}>{t('planner.of_server', { server: escapeHidden(tool.serverName).slice(0, 80) })}</span>
              <TierBadge tier={tool.tier} />
            </p>
            {tool.description === undefined ? null : <p className={css['description']}><UntrustedText text={tool.description} maxLength={150} /></p>}
            <WordsOf tool={tool} />
            {tool.loss === null ? null : <p className={css['loss']}><span><FunnelReason reason={tool.loss.reason} /></span> <a href={href.capability(tool.capabilityId)}>{t('planner.open_capability')}</a></p>}
          </div>
        </li>
      ))}
    </ol>
  );
};
