import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ReactElement, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlannedTool } from '../../../shared/planner.ts';
import { BUILT_IN_AGENT } from '../../../shared/principal.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { href } from '../../routes.ts';
import { useCapabilities } from '../../stores/capabilities.ts';
import { useRequest } from '../../stores/use-request.ts';
import { PlannedList } from './PlannedList.tsx';
import css from './Planner.module.css';

interface OfferedProps {
  readonly request: string;
  readonly chosen: string | null;
  /** true: the person has just asked, and the first tool takes the focus when it is there */
  readonly focusFirst: RefObject<boolean>;
  readonly onChoose: (tool: PlannedTool, rank: number) => void;
}

/** What fits the request: first what the agent may use, and apart from it what fits as well, each with the reason why not. */
export const Offered = ({ request, chosen, focusFirst, onChoose }: OfferedProps): ReactElement => {
  const { t, i18n } = useTranslation();
  const revision = useCapabilities((s) => s.revision);
  const { state, reload } = useRequest('planner:rank', { request, principal: BUILT_IN_AGENT }, revision);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (state.phase !== 'ready' || !focusFirst.current) return;
    focusFirst.current = false;
    (section.current?.querySelector<HTMLElement>('[data-row]:enabled') ?? section.current)?.focus();
  }, [state, focusFirst]);
  return (
    <section ref={section} tabIndex={-1} className={css['offered']} aria-label={t('planner.fitting')}>
      <LoadedView of={state} what={t('planner.looking')} rows={5} retry={reload}>
        {({ candidates, others, tools }) => {
          if (tools === 0) return <div className="g-panel"><StateView kind="empty" title={t('planner.no_tools.title')} body={t('planner.no_tools.body')} action={<Button component="a" variant="filled" href={href.market()}>{t('planner.no_tools.go')}</Button>} /></div>;
          const market = <Button component="a" href={href.market(new URLSearchParams({ q: request.slice(0, 200).toWellFormed() }).toString())}>{t('planner.to_market')}</Button>;
          return (
            <>
              <div className={css['listHead']}>
                <h2 className="g-heading">{t('planner.fitting')}</h2>
                <span className="g-small g-muted" role="status">{t('planner.compared', { count: tools, shown: tools.toLocaleString(i18n.language) })}{candidates.length > 1 ? ` · ${t('planner.list_keys')}` : ''}</span>
              </div>
              {candidates.length > 0 ? <PlannedList label={t('planner.fitting')} tools={candidates} from={1} chosen={chosen} onChoose={onChoose} /> : (
                <div className="g-panel"><StateView kind="empty" title={t(others.length > 0 ? 'planner.none.title' : 'planner.nothing.title')} body={t(others.length > 0 ? 'planner.none.body' : 'planner.nothing.body')} action={market} /></div>
              )}
              {others.length === 0 ? null : (
                <div className={css['others']}>
                  <h2 className="g-heading">{t('planner.others')}</h2>
                  <p className="g-small g-muted">{t('planner.others_why')}</p>
                  <PlannedList label={t('planner.others')} tools={others} from={candidates.length + 1} chosen={chosen} onChoose={onChoose} />
                </div>
              )}
            </>
          );
        }}
      </LoadedView>
    </section>
  );
};
