import { Button } from '@mantine/core';
import type { TFunction, i18n as I18n } from 'i18next';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import type { Conversation, ConversationRun } from '../../../shared/conversation.ts';
import type { Fault } from '../../../shared/fault.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { tellingArguments } from '../../../shared/telling-arguments.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { saveText } from '../../parts/save-text.ts';
import { exactTime } from '../../parts/times.ts';
import css from './Agent.module.css';
import { conversationFile, conversationFileName, type FiledRun } from './conversation-file.ts';
import { endingWords, standingOf } from './ending-words.ts';

/** As one reading of the page brings at most; older questions stand in the history. */
const MOST_RUNS = 500;
const MOST_CALLS = 200;

const filed = async (one: ConversationRun, t: TFunction, i18n: I18n): Promise<Result<FiledRun, Fault>> => {
  const { answer, run, runId } = one;
  const read = run === undefined ? null : await bridge.request('runs:calls', { runId, limit: MOST_CALLS });
  if (read !== null && !read.ok) return read;
  const { calls, total } = read?.value ?? { calls: [], total: 0 };
  const { sentence, code } = endingWords(one, i18n);
  return ok({
    one,
    calls: calls.map((call) => {
      const named = parseCapabilityId(call.capabilityId);
      const outcome = call.code === null ? t(call.endedAt === null ? `agent.call.${call.state}` : `parts.result.class.${call.class ?? 'ok'}`) : i18n.exists(`code.${call.code}.sentence`) ? t(`code.${call.code}.sentence`) : call.code;
      return { name: named === null ? call.capabilityId : `${named.serverId} · ${named.name}`, told: tellingArguments(call.frozenInput), outcome, id: call.id };
    }),
    more: total - calls.length,
    ending: sentence === null ? null : `${sentence}${code === null ? '' : ` \`${code}\``}`,
    standings: new Map((answer?.citations.cited ?? []).map((label) => [label, t(`agent.citation.${standingOf(answer!, label)}`)])),
  });
};

/** Saves a conversation as a file that reads on its own. */
export const ExportConversation = ({ conversation }: { readonly conversation: Conversation }): ReactElement => {
  const { t, i18n } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const [saved, setSaved] = useState('');
  const save = async (): Promise<Result<string, Fault>> => {
    const read = await bridge.request('conversations:get', { conversationId: conversation.id, limit: MOST_RUNS });
    if (!read.ok) return read;
    const runs: FiledRun[] = [];
    for (const one of read.value.runs) {
      const next = await filed(one, t, i18n);
      if (!next.ok) return next;
      runs.push(next.value);
    }
    const when = (ms: number): string => exactTime(ms, i18n.language);
    const text = conversationFile(read.value.conversation, runs, {
      about: t('agent.file.about', { when: when(Date.now()) }), earlier: read.value.earlier === 0 ? null : t('agent.earlier_in_history', { count: read.value.earlier }),
      asked: (at, asked) => t('agent.file.asked', { at, when: asked }), when, along: t('agent.along.title'), calls: t('agent.file.calls'), more: (count) => t('agent.file.more', { count }),
      answer: (model) => t('agent.file.answer', { model }), cites: t('agent.citation.title'), record: (runId, headHash) => t('agent.file.record', { runId, headHash }), gone: t('agent.record_deleted'),
    });
    const name = conversationFileName(read.value.conversation.title);
    saveText(name, text, 'text/markdown');
    return ok(name);
  };
  const press = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    const answer = await save();
    setBusy(false);
    if (answer.ok) setSaved(answer.value);
    else setFault(answer.error);
  };
  return (
    <>
      <Button size="xs" loading={busy} title={t('agent.file.means')} onClick={() => void press()}>{t('agent.file.save')}</Button>
      <span role="status" className={css['spoken']}>{saved === '' ? '' : t('agent.file.saved', { name: saved })}</span>
      {fault === null ? null : <FaultView fault={fault} compact />}
    </>
  );
};
