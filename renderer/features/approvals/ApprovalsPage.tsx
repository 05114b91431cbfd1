import { Button } from '@mantine/core';
import i18next from 'i18next';
import { useEffect, useMemo } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApprovalRow } from '../../../shared/approval.ts';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { ok } from '../../../shared/result.ts';
import { bridge } from '../../bridge/bridge.ts';
import { useWords } from '../../i18n/use-words.ts';
import { DataGrid } from '../../parts/DataGrid.tsx';
import type { GridColumn } from '../../parts/DataGrid.tsx';
import { FlowList } from '../../parts/FlowList.tsx';
import { givenReason, voidKey } from '../../parts/given-reason.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { wholeRows } from '../../parts/paged-rows.ts';
import { PrincipalName } from '../../parts/PrincipalName.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { Telling } from '../../parts/Telling.tsx';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { countdown } from '../../parts/times.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useNarrow } from '../../parts/use-narrow.ts';
import { useNow } from '../../parts/use-now.ts';
import { href } from '../../routes.ts';
import { useApprovals } from '../../stores/approvals.ts';
import { useListMemory } from '../../stores/list-memory.ts';
import { openApproval } from '../../stores/open-approval.ts';
import { useWaitingQuestions } from '../../stores/questions.ts';
import { usePages } from '../../stores/use-pages.ts';
import css from './ApprovalsPage.module.css';

const nameOf = (approval: ApprovalRow): string => {
  const id = parseCapabilityId(approval.capabilityId);
  return id === null ? approval.capabilityId : `${id.serverId} · ${id.name}`;
};

const Pending = ({ approval }: { readonly approval: ApprovalRow }): ReactElement => {
  const { t } = useWords();
  const now = useNow(1000);
  return (
    <div className={css['pending']}>
      <div className={css['what']}>
        <p className={css['name']}><UntrustedText text={nameOf(approval)} maxLength={120} /> <TierBadge tier={approval.tier} /></p>
        <p className={css['telling']}><Telling told={approval.telling ?? ''} /></p>
        <p className={css['who']}><PrincipalName principal={approval.principal} via={approval.via} />{t('approvals.in_run')}<a href={href.run(approval.runId)}><UntrustedText text={approval.runTitle} maxLength={100} /></a></p>
      </div>
      <span className={css['left']} role="timer">{t('approvals.expires', { left: countdown(approval.expiresAt - now) })}</span>
      <Button color="accent" variant="outline" data-review onClick={() => openApproval(approval.id)} aria-label={t('approvals.review_name', { name: nameOf(approval) })}>{t('approvals.banner.review')}</Button>
    </div>
  );
};

/** How it ended in a word, and why where that is known. */
const Decision = ({ approval }: { readonly approval: ApprovalRow }): ReactElement => {
  const { t } = useWords();
  const cause = voidKey(approval, (key) => i18next.exists(key));
  const given = givenReason(approval);
  return (
    <span title={t(cause ?? `approvals.state.${approval.state}`)}>
      {t(`approvals.state_short.${approval.state}`)}
      {given === null ? null : <span className={css['why']}>{t('approvals.colon')}<UntrustedText text={given} maxLength={80} /></span>}
    </span>
  );
};

const ROW = 63;
/** More of them than this scroll by themselves, so that what was decided stays within reach. */
const FEW = 6;

/** The inbox: what waits for a person first, then what was decided, by whom and why. */
export const ApprovalsPage = ({ approvalId, questions }: { readonly approvalId: string | null; /** what servers ask, where anything of it waits */ readonly questions: ReactNode }): ReactElement => {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const approvals = useApprovals((s) => s.approvals);
  const asked = useWaitingQuestions().length > 0;
  const endedCount = useApprovals((s) => s.ended);
  const memory = useListMemory('ended approvals');
  const ended = usePages<ApprovalRow, null>(
    'ended',
    async (offset, limit) => {
      const answer = await bridge.request('approvals:page', { of: 'ended', offset, limit });
      return answer.ok ? ok({ rows: answer.value.rows, total: answer.value.total, extra: null }) : answer;
    },
    { version: endedCount },
  );
  useEffect(() => {
    if (approvalId !== null) openApproval(approvalId);
  }, [approvalId]);
  const columns = useMemo<readonly GridColumn<ApprovalRow>[]>(
    () => [
      { key: 'name', title: t('approvals.capability'), width: 'minmax(0, 2.2fr)', cell: (a) => <><button type="button" className={css['open']} onClick={() => openApproval(a.id)}><UntrustedText text={nameOf(a)} /></button> <Telling told={a.telling ?? ''} />{narrow ? <span className={css['asker']}><PrincipalName principal={a.principal} via={a.via} /></span> : null}</> },
      { key: 'tier', title: t('approvals.tier'), width: '176px', narrow: '166px', cell: (a) => <TierBadge tier={a.tier} /> },
      { key: 'state', title: t('approvals.decision'), width: 'minmax(0, 1.4fr)', cell: (a) => <Decision approval={a} /> },
      { key: 'who', title: t('approvals.asked_by'), width: 'minmax(0, 1.1fr)', narrow: null, cell: (a) => <PrincipalName principal={a.principal} via={a.via} /> },
      { key: 'at', title: t('approvals.when'), width: '120px', narrow: '108px', cell: (a) => <TimeText at={a.decidedAt ?? a.createdAt} /> },
    ],
    [t, narrow],
  );
  return (
    <div>
      <h1 className="g-title">{t('approvals.page')}</h1>
      <LoadedView of={approvals} what={t('approvals.reading')}>
        {(waiting) => (
          <section className={css['section']} aria-label={t('approvals.waiting')}>
            <h2>{t('approvals.waiting')}{waiting.length > 0 ? t('approvals.count', { count: waiting.length }) : ''}</h2>
            {waiting.length === 0 && asked ? (
              <p className={css['none']}>{t('approvals.none_but_questions')}</p>
            ) : waiting.length === 0 ? (
              <div className="g-panel"><StateView kind="empty" title={t('approvals.none_title')} body={t('approvals.none_body')} action={<Button component="a" href={href.capabilities()}>{t('approvals.none_go')}</Button>} /></div>
            ) : (
              <div className={css['list']}>
                <FlowList label={t('approvals.waiting')} scroller={waiting.length > FEW ? 'own' : 'page'} rows={wholeRows(waiting)} idOf={(a) => a.id} estimate={ROW}>{(a) => <Pending approval={a} />}</FlowList>
              </div>
            )}
          </section>
        )}
      </LoadedView>
      {questions}
      <LoadedView of={ended.list} what={t('approvals.reading')} retry={ended.retry}>
        {(rows) =>
          rows.total === 0 ? null : (
            <section className={css['section']} aria-label={t('approvals.history')}>
              <h2>{t('approvals.history')}{t('approvals.count', { count: rows.total })}</h2>
              <DataGrid label={t('approvals.history')} rows={rows} columns={columns} idOf={(a) => a.id} onOpen={(a) => openApproval(a.id)} rowHeight={narrow ? 52 : 36} onRange={ended.want} memory={memory} />
            </section>
          )
        }
      </LoadedView>
    </div>
  );
};
