import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Invocation } from '../../../shared/call.ts';
import type { EvidenceEvent } from '../../../shared/run.ts';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { LogTail, ProgressLine } from '../../parts/CallNotes.tsx';
import { LineOfCall } from '../../parts/LineOfCall.tsx';
import { QuestionWaits } from '../../parts/QuestionWaits.tsx';
import { ResultView } from '../../parts/ResultView.tsx';
import { duration } from '../../parts/times.ts';
import { useLanguage } from '../../parts/use-language.ts';
import { href } from '../../routes.ts';
import { openApproval } from '../../stores/open-approval.ts';
import { openQuestion } from '../../stores/open-question.ts';
import { useQuestionOfCall } from '../../stores/questions.ts';
import { useCallProgress } from '../../stores/use-call-progress.ts';
import { useLogTail } from '../../stores/use-log-tail.ts';
import css from './TryOutForm.module.css';

/** The call as it goes, then what came of it, with the way to its evidence. */
export const TryOutOutcome = ({ invocation, events }: { readonly invocation: Invocation; readonly events: readonly EvidenceEvent[] }): ReactElement => {
  const { t } = useTranslation();
  const language = useLanguage();
  const ended = invocation.endedAt;
  const approvalId = invocation.approvalId;
  const live = invocation.state === 'running';
  const serverId = parseCapabilityId(invocation.capabilityId)?.serverId ?? '';
  const question = useQuestionOfCall(invocation.id);
  const progress = useCallProgress(invocation.id, live, events);
  const logged = useLogTail(live ? serverId : null);
  return (
    <div className={css['line']}>
      <LineOfCall invocation={invocation} events={events} />
      {question === undefined ? null : <QuestionWaits question={question} onOpen={openQuestion} />}
      {progress === null ? null : <ProgressLine progress={progress} />}
      {live ? <LogTail serverId={serverId} lines={logged} /> : null}
      {invocation.state === 'awaiting_approval' && approvalId !== null ? (
        <p className={css['awaits']}>{t('tryout.awaits')} <Button color="accent" variant="outline" onClick={() => openApproval(approvalId)}>{t('tryout.open_approval')}</Button></p>
      ) : null}
      <ResultView invocation={invocation} />
      <div className={css['foot']}>
        <span>{ended === null ? '' : t('tryout.took', { time: duration(ended - invocation.createdAt - invocation.waitedMs, language) })}{invocation.waitedMs > 0 && ended !== null ? t('tryout.waited', { time: duration(invocation.waitedMs, language) }) : ''}</span>
        <a href={href.run(invocation.runId)}>{t('tryout.evidence')}</a>
      </div>
    </div>
  );
};
