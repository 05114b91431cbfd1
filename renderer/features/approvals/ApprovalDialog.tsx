import { Button, Modal, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Approval } from '../../../shared/approval.ts';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { later } from '../../parts/later.tsx';
import { decider } from '../../parts/decider.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { givenReason, voidKey } from '../../parts/given-reason.ts';
import { Hash } from '../../parts/Hash.tsx';
import { KEYS } from '../../parts/keys.ts';
import { PrincipalName } from '../../parts/PrincipalName.tsx';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { countdown } from '../../parts/times.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import css from './ApprovalDialog.module.css';
import { ApprovalFacts } from './ApprovalFacts.tsx';
import { useDecision } from './use-decision.ts';
import { useFocusInside } from '../../parts/use-focus-inside.ts';

/** The form library is large and most approvals are not edited. */
const ApprovalEdit = later(() => import('./ApprovalEdit.tsx').then((m) => m.ApprovalEdit));

const Decided = ({ approval, mine }: { readonly approval: Approval; readonly mine: boolean }): ReactElement => {
  const { t, i18n } = useTranslation();
  const cause = voidKey(approval, (key) => i18n.exists(key));
  return (
    <p className={css['decided']} role="status">
      {t(cause === null ? `approvals.state.${approval.state}` : 'approvals.void_because')}{' '}
      {approval.decidedAt === null ? null : <TimeText at={approval.decidedAt} />}{' '}
      {approval.decidedBy === null ? null : <span className={css['small']}>{t('approvals.decided_by', { by: decider(approval.decidedBy, t) })}</span>}
      {mine ? null : <span className={css['small']}> {t('approvals.not_here')}</span>}
      {cause === null ? null : <span className={css['reason']}>{t(cause)}</span>}
      {givenReason(approval) === null ? null : <span className={css['reason']}>{t('approvals.reason_given')}<UntrustedText text={givenReason(approval) ?? ''} maxLength={300} /></span>}
    </p>
  );
};

/** One approval: read, then deny, edit or approve once. Nothing is preselected, and a decision made elsewhere is told, not hidden. */
export const ApprovalDialog = ({ approval, onClose, onNext }: { readonly approval: Approval; readonly onClose: () => void; readonly onNext: (approvalId: string) => void }): ReactElement => {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  const [reason, setReason] = useState('');
  const title = useRef<HTMLHeadingElement>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const { approve, deny, expired, leftMs, fault, mine, onEndSeen, decide: decideIt } = useDecision(approval);
  const name = parseCapabilityId(approval.capabilityId)?.name ?? approval.capabilityId;

  const decide = async (decision: 'approve' | 'deny'): Promise<void> => {
    if (await decideIt(decision, reason)) onClose();
  };
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !editing) editButton.current?.focus();
    wasEditing.current = editing;
  }, [editing]);
  const escape = (): void => {
    if (editing) setEditing(false);
    else if (approval.state !== 'pending') onClose();
    else void decide('deny');
  };
  useFocusInside(title, { keys: KEYS.approval.deny, onEscape: escape });
  const pending = approval.state === 'pending';
  return (
    <Modal.Root opened onClose={onClose} closeOnEscape={false} closeOnClickOutside={false} returnFocus={false} size={760} centered classNames={{ content: css['content']! }}>
      <Modal.Overlay />
      <Modal.Content data-own-focus aria-label={t('approvals.dialog', { name })}>
        <div className={css['header']}>
          <div>
            <h2 ref={title} className={css['title']} tabIndex={-1} data-autofocus>
              {t('approvals.title_before')}<UntrustedText text={name} maxLength={80} />{t('approvals.title_after')}
            </h2>
            <p className={css['who']}><PrincipalName principal={approval.principal} via={approval.via} />{t('approvals.in_run')}<a href={href.run(approval.runId)} onClick={onClose}><UntrustedText text={approval.runTitle} maxLength={100} /></a></p>
          </div>
          <div className={css['headerEnd']}>
            <TierBadge tier={approval.tier} />
            <button type="button" className={css['close']} onClick={onClose} aria-label={t(pending ? 'approvals.later' : 'approvals.close')} title={t(pending ? 'approvals.later' : 'approvals.close')}>
              <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true"><path d="m2 2 10 10M12 2 2 12" /></svg>
            </button>
          </div>
        </div>
        <div className={css['body']}>
          {editing ? <ApprovalEdit approval={approval} onCancel={() => setEditing(false)} onDone={(next) => { setEditing(false); onNext(next.id); }} /> : <ApprovalFacts approval={approval} onEndSeen={onEndSeen} />}
          {pending && !editing ? <div className={css['section']}><TextInput size="xs" label={t('approvals.reason')} maxLength={1000} value={reason} onChange={(e) => setReason(e.currentTarget.value)} /></div> : null}
          {fault === null ? null : <div className={css['section']}><FaultView fault={fault} /></div>}
        </div>
        {editing ? null : (
          <div className={css['footer']}>
            <div className={css['bound']}>
              <Hash value={approval.inputHash} label={t('parts.hash.input')} about={t('parts.hash.input_about')} />
              {pending ? <span role="timer" className={css['small']}>{expired ? t('approvals.expired_now') : t('approvals.expires', { left: countdown(leftMs) })}{t('approvals.used_once')}</span> : null}
            </div>
            {pending ? (
              <div className={css['acts']}>
                <Button color="danger" variant="outline" disabled={!deny.open} onClick={() => void decide('deny')} aria-keyshortcuts="Escape">{t('approvals.deny')}<kbd className={css['key']}>Esc</kbd></Button>
                <Button ref={editButton} disabled={!deny.open} onClick={() => setEditing(true)}>{t('approvals.edit.open')}</Button>
                <Button color="accent" variant="outline" disabled={!approve.open} onClick={() => void decide('approve')}>{t('approvals.approve_once')}</Button>
              </div>
            ) : <div className={css['acts']}><Decided approval={approval} mine={mine} /><Button onClick={onClose}>{t('approvals.close')}</Button></div>}
            {pending && !approve.open && approve.why === 'unread' ? <p className={css['unread']} role="status">{t('approvals.unread')}</p> : null}
          </div>
        )}
      </Modal.Content>
    </Modal.Root>
  );
};
