import type { i18n as I18n } from 'i18next';
import type { Answer, ConversationRun } from '../../../shared/conversation.ts';
import { becauseOf } from '../../parts/because-of.ts';
import { runEndingKey } from '../../parts/run-ending.ts';

export type Standing = 'grounded' | 'notGrounded' | 'unknown';
export const standingOf = ({ citations }: Answer, label: string): Standing => (citations.grounded.includes(label) ? 'grounded' : citations.notGrounded.includes(label) ? 'notGrounded' : 'unknown');

export interface EndingWords {
  readonly ending: Answer['ending'] | null;
  /** how it ended and why; null while it is under way */
  readonly sentence: string | null;
  readonly remedy: string | null;
  /** to be shown beside the sentence; a person's own stop needs none */
  readonly code: string | null;
}

/** How a run ended, in the window's language. Words that came before it broke off are no answer, and are not passed off as nothing. */
export const endingWords = ({ answer, run }: Pick<ConversationRun, 'answer' | 'run'>, i18n: I18n): EndingWords => {
  const { t } = i18n;
  const code = answer?.code ?? (run?.state === 'failed' ? run.code : null);
  const ending = answer?.ending ?? (run?.state === 'failed' ? 'stop' : null);
  if (ending === null) return { ending, sentence: null, remedy: null, code: null };
  if (code === 'cancelled') return { ending, sentence: t('agent.ending.stopped'), remedy: null, code: null };
  const key = code === null ? '' : runEndingKey({ kind: 'agent' }, code);
  const said = answer !== null && answer.text.trim() !== '';
  const how = t(`agent.ending.${ending === 'stop' && said ? 'broken' : ending}`);
  const why = code !== null && i18n.exists(`${key}.sentence`) ? ` ${t(`${key}.sentence`)}` : '';
  const because = code === null || answer?.why === undefined ? null : becauseOf({ code, details: answer.why.details }, (one) => i18n.exists(one));
  return { ending, sentence: `${how}${why}`, remedy: because !== null ? t(because) : code !== null && i18n.exists(`${key}.remedy`) ? t(`${key}.remedy`) : null, code };
};
