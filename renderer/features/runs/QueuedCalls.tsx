import { useMemo, type ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { queuedCalls } from '../../parts/queued-calls.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useAppendedEvents } from '../../stores/use-appended-events.ts';
import css from './RunPage.module.css';

const TYPES = ['turn.reply', 'call.planned', 'call.refused', 'call.outcome'];
/** What came after so many rows is told by the calls themselves. */
const MOST = 1000;

/** Calls of a run under way that are not on the line yet: others of their server end first. */
export const QueuedCalls = ({ runId, version }: { readonly runId: string; readonly version: number }): ReactElement | null => {
  const { t } = useTranslation();
  const { state } = useAppendedEvents({ runId, types: TYPES, leaveOut: ['text', 'usage'], limit: MOST }, version);
  const queued = useMemo(() => {
    if (state.phase !== 'ready') return [];
    const replies = state.value.filter(({ type }) => type === 'turn.reply');
    const ended = new Set(state.value.flatMap(({ type, invocationId }) => (type === 'call.outcome' || type === 'call.refused' ? [invocationId] : [])));
    return queuedCalls(replies, state.value, state.value.some(({ type, invocationId }) => type === 'call.planned' && !ended.has(invocationId)));
  }, [state]);
  if (queued.length === 0) return null;
  return (
    <ul className={css['queued']} aria-label={t('runs.queued.title')}>
      {queued.map(({ id, name }) => <li key={id}><code><UntrustedText text={name} maxLength={70} /></code><span>{t('runs.queued.waits')}</span></li>)}
    </ul>
  );
};
