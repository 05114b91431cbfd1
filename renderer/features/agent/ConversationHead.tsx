import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conversation } from '../../../shared/conversation.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { act } from '../../stores/act.ts';
import css from './Agent.module.css';
import { ExportConversation } from './ExportConversation.tsx';

/** The name of a conversation, which the person may change, and the way to delete it. */
export const ConversationHead = ({ conversation, live, onDelete }: { readonly conversation: Conversation; readonly live: boolean; readonly onDelete: () => void }): ReactElement => {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    const title = (draft ?? '').trim();
    setDraft(null);
    if (title !== '' && title !== conversation.title) await act('conversations:rename', { conversationId: conversation.id, title: title.slice(0, 300).toWellFormed() });
  };
  if (draft !== null) {
    return (
      <form className={css['rename']} onSubmit={(event) => { event.preventDefault(); void save(); }}>
        <TextInput autoFocus aria-label={t('agent.title')} maxLength={300} value={draft} onChange={(event) => setDraft(event.currentTarget.value)} onKeyDown={(event) => { if (event.key === 'Escape') setDraft(null); }} />
        <Button type="submit" variant="filled">{t('agent.save_title')}</Button>
        <Button onClick={() => setDraft(null)}>{t('agent.cancel')}</Button>
      </form>
    );
  }
  return (
    <div className={css['head']}>
      <h1 className="g-title"><UntrustedText text={conversation.title} maxLength={160} /></h1>
      <div className={css['headActs']}>
        <Button size="xs" onClick={() => setDraft(conversation.title)}>{t('agent.rename')}</Button>
        <ExportConversation conversation={conversation} />
        <Button size="xs" disabled={live} title={live ? t('agent.delete_when_ended') : undefined} onClick={onDelete}>{t('agent.delete')}</Button>
      </div>
    </div>
  );
};
