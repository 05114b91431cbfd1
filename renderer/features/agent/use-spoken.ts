import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConversationRun } from '../../../shared/conversation.ts';
import { useStreams } from '../../stores/agent-streams.ts';

interface Happening {
  readonly one: ConversationRun;
  readonly live: boolean;
  /** calls that await the person */
  readonly asking: number;
  /** the tool that is being called */
  readonly calling: string | null;
}

/**
 * What happens in a run, a sentence at a time, for who hears the page: that the model is at work, writes, calls, waits for the person, and how it ended with how much it
 * said and what of its citations holds. The words themselves are not read out as they come. Nothing of a run that had ended before.
 */
export const useSpoken = ({ one, live, asking, calling }: Happening): string => {
  const { t } = useTranslation();
  const [seen, setSeen] = useState(live);
  useEffect(() => { if (live) setSeen(true); }, [live]);
  const writes = useStreams(({ streams }) => live && (streams.get(one.runId)?.text ?? '') !== '');
  if (!seen) return '';
  if (asking > 0) return t('agent.asking.count', { count: asking });
  if (calling !== null) return t('agent.spoken.calls', { name: calling });
  if (live) return t(writes ? 'agent.spoken.writes' : 'agent.thinking');
  const { answer } = one;
  if (answer === null) return '';
  const ending = t(answer.code === 'cancelled' ? 'agent.ending.stopped' : `agent.ending.${answer.ending}`);
  const { cited, unknown, notGrounded } = answer.citations;
  const bad = unknown.length + notGrounded.length;
  return [ending, t('agent.spoken.length', { count: answer.text.length }), ...(cited.length === 0 ? [] : [t('agent.spoken.cites', { count: cited.length })]), ...(bad === 0 ? [] : [t('agent.spoken.bad', { count: bad })])].join(' ');
};
