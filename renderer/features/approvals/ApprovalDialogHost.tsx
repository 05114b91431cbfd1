import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { later } from '../../parts/later.tsx';
import { PrincipalName } from '../../parts/PrincipalName.tsx';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { useApproval, useApprovals } from '../../stores/approvals.ts';
import { closeApproval, openApproval, useOpenApproval, useShownApprovals } from '../../stores/open-approval.ts';
import css from './ApprovalBanner.module.css';
import { loadApprovalDialog } from './load-approval-dialog.ts';
import { useFocusBack } from '../../parts/use-focus-back.ts';

const ApprovalDialog = later(() => loadApprovalDialog().then((m) => m.ApprovalDialog));

/**
 * Shows the approval that was asked for, and announces new ones without taking the focus: a dialog opens only by a click,
 * or because a try-out of this very window asks. One that the page shows whole is not announced beside it.
 */
export const ApprovalDialogHost = (): ReactElement | null => {
  const { t } = useTranslation();
  const approvals = useApprovals((s) => s.approvals);
  const openId = useOpenApproval((s) => s.approvalId);
  const shown = useShownApprovals((s) => s.ids);
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const known = useRef<ReadonlySet<string> | null>(null);
  const pending = approvals.phase === 'ready' ? approvals.value : [];
  useEffect(() => {
    // what already waited when the window opened is told by the rail and the bottom edge
    if (approvals.phase !== 'ready' || known.current !== null) return;
    known.current = new Set(approvals.value.map((a) => a.id));
    setDismissed(known.current);
  }, [approvals]);
  const open = useApproval(openId);
  const { leave: leaveFocus } = useFocusBack(open !== undefined);
  useEffect(() => {
    // an address that was followed is a new place: the approval stays pending and is told there again
    const leave = (): void => {
      if (openId === null || location.hash.startsWith(`${href.approval(openId)}`)) return;
      leaveFocus();
      closeApproval();
    };
    window.addEventListener('hashchange', leave);
    return () => window.removeEventListener('hashchange', leave);
  }, [openId, leaveFocus]);
  const close = (): void => {
    if (openId !== null) setDismissed((was) => new Set([...was, openId]));
    closeApproval();
    if (location.hash.startsWith('#/approvals/')) history.replaceState(null, '', '#/approvals');
  };
  if (open !== undefined) {
    return <ApprovalDialog key={open.id} approval={open} onClose={close} onNext={openApproval} />;
  }
  const fresh = pending.filter((a) => !dismissed.has(a.id) && !shown.includes(a.id));
  const first = fresh[0];
  if (first === undefined) return <div role="status" className={css['spoken']} />;
  return (
    <div role="status" className={css['banner']}>
      <div className={css['words']}>
        <p className={css['title']}>
          {t('approvals.banner.wants')}<UntrustedText text={parseCapabilityId(first.capabilityId)?.name ?? first.capabilityId} maxLength={60} />
        </p>
        <p className={css['more']}><TierBadge tier={first.tier} /> <PrincipalName principal={first.principal} via={first.via} /> {fresh.length > 1 ? t('approvals.banner.more', { count: fresh.length - 1 }) : null}</p>
      </div>
      <button type="button" className={css['review']} data-review-next onClick={() => openApproval(first.id)}>{t('approvals.banner.review')}</button>
      <button type="button" className={css['later']} onClick={() => setDismissed(new Set([...dismissed, ...fresh.map((a) => a.id)]))}>{t('approvals.banner.later')}</button>
    </div>
  );
};
