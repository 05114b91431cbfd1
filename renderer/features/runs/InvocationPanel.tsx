import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Invocation } from '../../../shared/call.ts';
import { USER } from '../../../shared/principal.ts';
import { bridge } from '../../bridge/bridge.ts';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { LogTail } from '../../parts/CallNotes.tsx';
import { CapabilityName } from '../../parts/CapabilityName.tsx';
import { decider } from '../../parts/decider.ts';
import { givenReason, voidKey } from '../../parts/given-reason.ts';
import { Hash } from '../../parts/Hash.tsx';
import { JsonView } from '../../parts/JsonView.tsx';
import { isRepeat } from '../../parts/line-stages.ts';
import { QuestionWaits } from '../../parts/QuestionWaits.tsx';
import { ResultView } from '../../parts/ResultView.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { RepeatAnswered } from './RepeatAnswered.tsx';
import { SaveResult } from './SaveResult.tsx';
import { ToldView } from './ToldView.tsx';
import { useApproval } from '../../stores/approvals.ts';
import { openApproval } from '../../stores/open-approval.ts';
import { openQuestion } from '../../stores/open-question.ts';
import { useQuestionOfCall } from '../../stores/questions.ts';
import { useLogTail } from '../../stores/use-log-tail.ts';
import css from './RunPage.module.css';

const ApprovalFacts = ({ approvalId }: { readonly approvalId: string }): ReactElement | null => {
  const { t, i18n } = useTranslation();
  const approval = useApproval(approvalId);
  if (approval === undefined) return null;
  const cause = voidKey(approval, (key) => i18n.exists(key));
  return (
    <div className={css['approval']} data-pending={approval.state === 'pending'}>
      <p>
        {t(`runs.approval.${approval.state}`)}{approval.decidedBy === null ? '' : t('runs.approval.by', { by: decider(approval.decidedBy, t) })} {approval.decidedAt === null ? null : <TimeText at={approval.decidedAt} />}
        {cause === null ? null : <> <span className="g-muted">{t(cause)}</span></>}
        {givenReason(approval) === null ? null : <> <span className="g-muted">{t('runs.approval.reason')}<UntrustedText text={givenReason(approval) ?? ''} maxLength={200} /></span></>}
      </p>
      <Button variant={approval.state === 'pending' ? 'outline' : 'default'} {...(approval.state === 'pending' ? { color: 'accent' } : {})} onClick={() => openApproval(approval.id)}>{t(approval.state === 'pending' ? 'runs.approval.decide' : 'runs.approval.open')}</Button>
    </div>
  );
};

/** What is larger is shown as its beginning. */
const WINDOW_BYTES = 262_144;

/** One call in full: where it may be stopped, who decided, what was sent, what came back. */
export const InvocationPanel = ({ invocation }: { readonly invocation: Invocation }): ReactElement => {
  const { t } = useTranslation();
  const live = invocation.state === 'running' || invocation.state === 'queued';
  const serverId = parseCapabilityId(invocation.capabilityId)?.serverId ?? '';
  const question = useQuestionOfCall(invocation.id);
  const logged = useLogTail(live ? serverId : null);
  return (
    <section className="g-panel" aria-label={t('runs.call')}>
      <div className={css['paneHead']}>
        <h2 className="g-heading">{t('runs.call')}</h2>
        {live ? <Button color="danger" variant="outline" onClick={() => void bridge.request('calls:stop', { invocationId: invocation.id })}>{t('runs.stop')}</Button> : null}
      </div>
      <p className={css['capability']}><CapabilityName id={invocation.capabilityId} /></p>
      {invocation.approvalId === null ? null : <ApprovalFacts approvalId={invocation.approvalId} />}
      {question === undefined ? null : <QuestionWaits question={question} onOpen={openQuestion} />}
      <LogTail serverId={serverId} lines={logged} />
      {isRepeat(invocation) ? <RepeatAnswered invocationId={invocation.id} /> : null}
      <ResultView invocation={invocation} />
      {invocation.result !== null && invocation.result.sizeBytes > WINDOW_BYTES ? <SaveResult invocationId={invocation.id} /> : null}
      {live || invocation.principal === USER ? null : <ToldView invocationId={invocation.id} />}
      <h3 className={css['sentHead']}>{t(invocation.frozenInput === null ? 'runs.not_frozen' : 'runs.input')}</h3>
      {invocation.frozenInput === null ? null : <JsonView text={invocation.frozenInput} label={t('runs.input')} maxHeight={240} />}
      {invocation.inputHash === null ? null : <p className={css['hashLine']}><Hash value={invocation.inputHash} label={t('parts.hash.input')} about={t('parts.hash.input_about')} /></p>}
    </section>
  );
};
