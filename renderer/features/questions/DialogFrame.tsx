import { Modal } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import type { Question } from '../../../shared/question.ts';
import { KEYS } from '../../parts/keys.ts';
import { countdown } from '../../parts/times.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useFocusInside } from '../../parts/use-focus-inside.ts';
import { useNow } from '../../parts/use-now.ts';
import { href } from '../../routes.ts';
import { useServers } from '../../stores/servers.ts';
import type { QuestionViewProps } from './QuestionDialog.tsx';
import css from './QuestionDialog.module.css';
import type { Standing } from './question-standing.ts';

/** Where its answers go: a program of this computer, or the host of an address. */
const useEndpoint = (serverId: string): string | null => {
  const servers = useServers((state) => state.servers);
  const spec = servers.phase === 'ready' ? servers.value.find((one) => one.id === serverId)?.spec : undefined;
  if (spec === undefined) return null;
  return spec.kind === 'http' ? (URL.parse(spec.url)?.host ?? null) : '';
};

const From = ({ question }: { readonly question: Question }): ReactElement => {
  const { t } = useTranslation();
  const endpoint = useEndpoint(question.serverId);
  const name = question.capabilityId === null ? null : (parseCapabilityId(question.capabilityId)?.name ?? question.capabilityId);
  return (
    <>
      <a href={href.server(question.serverId)}><UntrustedText text={question.serverName} maxLength={80} /></a>
      {endpoint === null ? null : endpoint === '' ? t('questions.local') : <>{t('questions.at')}<span className="g-mono">{endpoint}</span></>}
      {question.runId === null || question.invocationId === null || name === null ? t('questions.no_call') : <>{t('questions.in_call')}<a href={href.call(question.runId, question.invocationId)}><UntrustedText text={name} maxLength={80} /></a></>}
      {t('questions.round', { round: question.round })}
    </>
  );
};

interface FrameProps extends QuestionViewProps {
  readonly title: string;
  /** what it comes to, in our words */
  readonly children: ReactNode;
  readonly acts: ReactNode;
  /** in the foot, below the buttons */
  readonly note?: string | null;
  /** it can still be answered: the time that is left is told */
  readonly timed?: boolean;
  /** what it comes to now: where that changes, the dialog begins at its top again */
  readonly standing?: Standing;
}

const Queue = ({ question, waiting, onGo }: Pick<FrameProps, 'question' | 'waiting' | 'onGo'>): ReactElement | null => {
  const { t } = useTranslation();
  const at = waiting.findIndex((one) => one.id === question.id);
  if (at === -1 || waiting.length < 2) return null;
  const next = waiting[(at + 1) % waiting.length]!;
  return (
    <span className={css['queue']}>
      {t('questions.queue', { place: at + 1, count: waiting.length })}
      <button type="button" className={css['next']} onClick={() => onGo(next.id)}>{t('questions.next')}</button>
    </span>
  );
};

/** One dialog for all that servers ask: who, in which call, the place in the queue, the way out. Escape and the cross leave it waiting. */
export const DialogFrame = ({ question, waiting, onClose, onGo, title, children, acts, note = null, timed = false, standing = 'asks' }: FrameProps): ReactElement => {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const now = useNow(1000);
  useEffect(() => {
    body.current?.scrollTo({ top: 0 });
  }, [standing]);
  useFocusInside(heading, { keys: KEYS.question.later, onEscape: onClose });
  const leave = t(timed ? 'questions.later' : 'questions.close');
  return (
    <Modal.Root opened onClose={onClose} closeOnEscape={false} closeOnClickOutside={false} returnFocus={false} size={760} centered classNames={{ content: css['content']! }}>
      <Modal.Overlay />
      <Modal.Content data-own-focus aria-label={title}>
        <div className={css['header']}>
          <div>
            <h2 ref={heading} className={css['title']} tabIndex={-1} data-autofocus>{title}</h2>
            <p className={css['who']}><From question={question} /></p>
          </div>
          <div className={css['headerEnd']}>
            <Queue question={question} waiting={waiting} onGo={onGo} />
            <button type="button" className={css['close']} onClick={onClose} aria-label={leave} title={leave}>
              <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true"><path d="m2 2 10 10M12 2 2 12" /></svg>
            </button>
          </div>
        </div>
        <div ref={body} className={css['body']}>{children}</div>
        <div className={css['footer']}>
          <div className={css['bound']}>
            {timed ? <span role="timer" className={css['small']}>{now >= question.expiresAt ? t('questions.expired_now') : t('questions.expires', { left: countdown(question.expiresAt - now) })}</span> : null}
          </div>
          <div className={css['acts']}>{acts}</div>
          {note === null ? null : <p className={css['unread']} role="status">{note}</p>}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
};
