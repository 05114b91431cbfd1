import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conversation, Mark } from '../../../shared/conversation.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { href } from '../../routes.ts';
import css from './Agent.module.css';
import { MarkedText } from './MarkedText.tsx';
import { useConversations } from './use-conversation.ts';

/** What was looked for, where it stands. */
interface Found {
  readonly excerpt: string;
  readonly marks: readonly Mark[];
  readonly titleMarks: readonly Mark[];
}

const Row = ({ conversation, here, found }: { readonly conversation: Conversation; readonly here: boolean; readonly found: Found | null }): ReactElement => {
  const { t } = useTranslation();
  const { id, title, state, updatedAt } = conversation;
  return (
    <li>
      <a className={css['conversation']} href={href.conversation(id)} {...(here ? { 'aria-current': 'page' as const } : {})}>
        <span className={css['conversationTitle']}><MarkedText text={title.slice(0, 90)} marks={(found?.titleMarks ?? []).filter(({ to }) => to <= 90)} /></span>
        {found === null || found.excerpt === '' ? null : <span className={css['excerpt']}><MarkedText text={found.excerpt} marks={found.marks} /></span>}
        <span className={css['conversationMeta']}>{state === 'running' || state === 'awaiting_approval' ? <strong data-state={state}>{t(`agent.state.${state}`)}</strong> : <TimeText at={updatedAt} />}</span>
      </a>
    </li>
  );
};

/** Conversations by their last use, with search in all that was said. `hidden`: those that are being deleted and may come back. */
export const ConversationList = ({ here, hidden }: { readonly here: string | null; readonly hidden: ReadonlySet<string> }): ReactElement => {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const { all, found } = useConversations(words);
  return (
    <section className={css['list']} aria-label={t('agent.conversations')}>
      <Button component="a" href={href.agent()} fullWidth {...(here === null ? { 'aria-current': 'page' as const } : {})}>{t('agent.new')}</Button>
      <TextInput type="search" size="xs" data-page-search aria-label={t('agent.search')} placeholder={t('agent.search')} value={words} onChange={(event) => setWords(event.currentTarget.value)} />
      {found === null ? (
        <LoadedView of={all.state} what={t('agent.reading_list')} rows={4} retry={all.reload}>
          {({ conversations }) => {
            const shown = conversations.filter(({ id }) => !hidden.has(id));
            return shown.length === 0 ? <p className="g-small g-muted">{t('agent.none_yet')}</p> : <ul className={css['conversations']}>{shown.map((one) => <Row key={one.id} conversation={one} here={one.id === here} found={null} />)}</ul>;
          }}
        </LoadedView>
      ) : (
        <LoadedView of={found.state} what={t('agent.searching')} rows={3} retry={found.reload}>
          {({ found: rows, instead }) => {
            const shown = rows.filter(({ conversation }) => !hidden.has(conversation.id));
            return shown.length === 0 ? <StateView kind="empty" title={t('agent.nothing_found')} /> : (
              <>
                <p className={css['conversationMeta']} role="status">{instead === null ? t('agent.found', { count: shown.length }) : t('agent.found_near', { words: instead, count: shown.length })}</p>
                <ul className={css['conversations']}>{shown.map(({ conversation, runId, ...found }) => <Row key={`${conversation.id} ${runId ?? ''}`} conversation={conversation} here={conversation.id === here} found={found} />)}</ul>
              </>
            );
          }}
        </LoadedView>
      )}
    </section>
  );
};
