import { Button } from '@mantine/core';
import { useEffect, useRef, type KeyboardEvent, type ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Approval } from '../../../shared/approval.ts';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { Hash } from '../../parts/Hash.tsx';
import { isKey, KEYS } from '../../parts/keys.ts';
import { shortHash } from '../../parts/short-hash.ts';
import { countdown } from '../../parts/times.ts';
import { useApproval } from '../../stores/approvals.ts';
import { openApproval, showsApproval } from '../../stores/open-approval.ts';
import css from './ApprovalDialog.module.css';
import { ApprovalFacts } from './ApprovalFacts.tsx';
import inline from './ApprovalInline.module.css';
import { nextWaiting } from './next-waiting.ts';
import { useDecision } from './use-decision.ts';

const Pending = ({ approval }: { readonly approval: Approval }): ReactElement => {
  const { t } = useTranslation();
  const { approve, deny, expired, leftMs, fault, onEndSeen, decide } = useDecision(approval);
  useEffect(() => showsApproval(approval.id), [approval.id]);
  // several of one tool may wait on a page: the hash tells them apart by ear, too
  const told = shortHash(approval.inputHash);
  const region = useRef<HTMLElement>(null);
  const take = async (decision: 'approve' | 'deny'): Promise<void> => {
    const next = nextWaiting(region.current);
    const within = region.current?.contains(document.activeElement) === true;
    if ((await decide(decision)) && within) next?.focus();
  };
  // the one key of the table, and for the approval alone that has the focus
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isKey(event, KEYS.approval.deny) || event.defaultPrevented || event.repeat || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void take('deny');
  };
  return (
    <section ref={region} className={inline['inline']} data-approval={approval.id} tabIndex={-1} onKeyDown={onKeyDown} aria-label={`${t('approvals.dialog', { name: parseCapabilityId(approval.capabilityId)?.name ?? approval.capabilityId })} ${told}`}>
      <ApprovalFacts approval={approval} onEndSeen={onEndSeen} apart={told} />
      {fault === null ? null : <div className={css['section']}><FaultView fault={fault} compact /></div>}
      <div className={css['footer']}>
        <div className={css['bound']}>
          <Hash value={approval.inputHash} label={t('parts.hash.input')} about={t('parts.hash.input_about')} />
          <span role="timer" className={css['small']}>{expired ? t('approvals.expired_now') : t('approvals.expires', { left: countdown(leftMs) })}{t('approvals.used_once')}</span>
        </div>
        <div className={css['acts']}>
          <Button color="danger" variant="outline" disabled={!deny.open} onClick={() => void take('deny')} aria-keyshortcuts="Escape">{t('approvals.deny')}<kbd className={`${css['key']} ${inline['key']}`}>Esc</kbd></Button>
          <Button onClick={() => openApproval(approval.id)}>{t('approvals.edit.open')}</Button>
          <Button color="accent" variant="outline" disabled={!approve.open} onClick={() => void take('approve')}>{t('approvals.approve_once')}</Button>
        </div>
        {!approve.open && approve.why === 'unread' ? <p className={css['unread']} role="status">{t('approvals.unread')}</p> : null}
      </div>
    </section>
  );
};

/** An approval where its call stands, with the same facts and the same manners as the dialog; editing opens that. Takes no focus: it appears while somebody may be writing. */
export const ApprovalInline = ({ approvalId }: { readonly approvalId: string }): ReactElement | null => {
  const approval = useApproval(approvalId);
  return approval === undefined || approval.state !== 'pending' ? null : <Pending key={approval.id} approval={approval} />;
};
