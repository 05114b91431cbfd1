import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AgentProfile } from '../../../shared/agent-profile.ts';
import type { Model } from '../../../shared/model.ts';
import { AgentModes } from '../../parts/AgentModes.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { useNarrow } from '../../parts/use-narrow.ts';
import { href } from '../../routes.ts';
import { act } from '../../stores/act.ts';
import { followStreams } from '../../stores/agent-streams.ts';
import { deleteSoon, undoDeletion, useDeletion } from '../../stores/conversation-deletion.ts';
import css from './Agent.module.css';
import type { FieldsSlot } from './attached.ts';
import { Composer } from './Composer.tsx';
import { ConversationHead } from './ConversationHead.tsx';
import { ConversationList } from './ConversationList.tsx';
import { FunnelPane } from './FunnelPane.tsx';
import { LimitsText } from './LimitsText.tsx';
import { RunView, type ApprovalSlot } from './RunView.tsx';
import { useChoices, useConversation } from './use-conversation.ts';
import { useKeptAtEnd } from './use-kept-at-end.ts';
import { useToolsOf, type ToolsOf } from './use-tools-of.ts';

interface TalkProps {
  readonly models: readonly Model[];
  readonly profiles: readonly AgentProfile[];
  readonly approval: ApprovalSlot;
  readonly fields: FieldsSlot;
  readonly profileId: string;
  /** of the profile */
  readonly principal: string;
  readonly onProfile: (id: string) => void;
}
const sent = (conversationId: string): void => { location.hash = href.conversation(conversationId); };

/** Why the agent can answer only from what its model knows, and the way on: nothing is allowed, or nothing that is allowed can be asked now. */
const NoTools = ({ tools: { allowed } }: { readonly tools: ToolsOf }): ReactElement => {
  const { t } = useTranslation();
  return allowed === 0 ? <div className={css['hint']}><p>{t('agent.no_tools')}</p><Button component="a" href={href.capabilities()}>{t('agent.grant')}</Button></div> : <div className={css['hint']}><p>{t('agent.none_ready', { count: allowed })}</p><Button component="a" href={href.servers()}>{t('agent.to_servers')}</Button></div>;
};

/** No model: the guided planner works without one. No tool: which the agent may use is the person's to say. */
const Begin = ({ models, ...talk }: TalkProps): ReactElement => {
  const { t } = useTranslation();
  const tools = useToolsOf(talk.principal);
  if (models.length === 0) {
    return (
      <div className="g-panel">
        <StateView kind="empty" page title={t('agent.no_model.title')} body={t('agent.no_model.body')}
          action={<><Button component="a" variant="filled" href={href.settings('models')}>{t('agent.no_model.add')}</Button> <Button component="a" href={href.planner()}>{t('agent.no_model.guided')}</Button></>} />
      </div>
    );
  }
  return (
    <>
      <h1 className="g-title">{t('agent.begin')}</h1>
      {tools === null ? <p className="g-muted">&nbsp;</p> : tools.allowed === 0 || tools.ready === 0 ? <NoTools tools={tools} /> : <p className="g-muted">{t('agent.begin_body', { count: tools.allowed })}{tools.ready < tools.allowed ? <> {t('agent.ready_now', { count: tools.ready })}</> : null}</p>}
      <Composer conversationId={null} models={models} profiles={talk.profiles} profileId={talk.profileId} onProfile={talk.onProfile} fields={talk.fields} busy={false} onSent={sent} />
    </>
  );
};

const Talk = ({ conversationId, onDelete, ...talk }: TalkProps & { readonly conversationId: string; readonly onDelete: (conversation: { readonly id: string; readonly title: string }) => void }): ReactElement => {
  const { t } = useTranslation();
  const { state, reload, readEarlier } = useConversation(conversationId);
  const [stopping, setStopping] = useState<string | null>(null);
  const [spoken, setSpoken] = useState('');
  const [going, setGoing] = useState<string | null>(null);
  const end = useRef<HTMLDivElement>(null);
  const tools = useToolsOf(talk.principal);
  const last = state.phase === 'ready' ? (state.value.runs.at(-1)?.runId ?? null) : null;
  const of = state.phase === 'ready' ? state.value.conversation.profileId : null;
  const { onProfile } = talk;
  useKeptAtEnd(end, last);
  useEffect(() => { if (of !== null) onProfile(of); }, [of, onProfile]);
  const stop = (runId: string): void => {
    setStopping(runId);
    void act('agent:stop', { runId });
  };
  const goOn = (runId: string): void => {
    setGoing(runId);
    void act('agent:goOn', { runId, words: t('agent.go_on.words') }).then((begun) => {
      if (begun === null) setGoing(null);
      reload();
    });
  };
  return (
    <LoadedView of={state} what={t('agent.reading')} rows={6} retry={reload} list={{ to: href.agent(), words: t('agent.gone') }}>
      {({ conversation, runs, earlier }) => {
        const live = runs.some(({ run }) => run !== undefined && run.endedAt === null);
        return (
          <>
            <ConversationHead conversation={conversation} live={live} onDelete={() => onDelete(conversation)} />
            <p className={css['spoken']} role="status">{spoken}</p>
            <div className={css['runs']} role="log" aria-live="off" aria-label={t('agent.conversation')}>
              {earlier === 0 ? null : readEarlier === null ? <p className={css['note']}><a href={href.runs()}>{t('agent.earlier_in_history', { count: earlier })}</a></p> : <div><Button size="xs" onClick={readEarlier}>{t('agent.earlier', { count: earlier })}</Button></div>}
              {runs.map((one) => <RunView key={one.runId} one={one} approval={talk.approval} onStop={stop} stopping={stopping === one.runId} onGoOn={!live && talk.models.length > 0 && one.runId === last && one.run?.state === 'failed' ? () => goOn(one.runId) : null} going={going === one.runId} onSpoken={setSpoken} />)}
              <div ref={end} className={css['end']} />
            </div>
            {tools !== null && !live && tools.allowed > 0 && tools.ready === 0 ? <NoTools tools={tools} /> : null}
            <LimitsText usage={runs.at(-1)?.usage ?? null} limits={talk.profiles.find(({ id }) => id === talk.profileId)?.limits ?? null} />
            {talk.models.length === 0 ? <p className={css['note']}>{t('agent.no_model.title')} <a href={href.settings('models')}>{t('agent.no_model.add')}</a></p> : <Composer conversationId={conversation.id} models={talk.models} profiles={talk.profiles} profileId={talk.profileId} onProfile={talk.onProfile} fields={talk.fields} busy={live} onSent={reload} />}
          </>
        );
      }}
    </LoadedView>
  );
};

const Side = ({ conversationId, principal }: { readonly conversationId: string; readonly principal: string }): ReactElement => {
  const { state } = useConversation(conversationId);
  return <FunnelPane runId={state.phase === 'ready' ? (state.value.runs.at(-1)?.runId ?? null) : null} principal={principal} />;
};

/** Conversations with the built-in agent, and beside each what the agent can see. */
export const AgentPage = ({ conversationId, approval, fields }: { readonly conversationId: string | null; readonly approval: (approvalId: string) => ReactNode; readonly fields: FieldsSlot }): ReactElement => {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const [shown, setShown] = useState<'talk' | 'list' | 'funnel'>('talk');
  const [profileId, setProfileId] = useState('default');
  const { models, profiles } = useChoices();
  const { going, hidden } = useDeletion();
  useEffect(() => followStreams(), []);
  const principal = (profiles.state.phase === 'ready' ? profiles.state.value.profiles.find(({ id }) => id === profileId)?.principal : undefined) ?? 'agent:default';
  const onDelete = (conversation: { readonly id: string; readonly title: string }): void => {
    deleteSoon(conversation);
    location.hash = href.agent();
  };
  const side = conversationId === null ? <FunnelPane runId={null} principal={principal} /> : <Side conversationId={conversationId} principal={principal} />;
  const tab = (which: 'list' | 'funnel', words: string): ReactElement => <Button size="xs" aria-pressed={shown === which} onClick={() => setShown(shown === which ? 'talk' : which)}>{words}</Button>;
  return (
    <div className={css['page']}>
      <div className={css['bar']}>
        <AgentModes here="agent" />
        {narrow ? tab('list', t('agent.conversations')) : null}
        {narrow || shown === 'funnel' || shown === 'talk' ? tab('funnel', t('agent.funnel.show')) : null}
        {going === null ? null : <p className={css['undo']} role="status">{t('agent.deleted', { title: going.title.slice(0, 60) })} <Button size="xs" onClick={undoDeletion}>{t('agent.undo')}</Button></p>}
      </div>
      <div className={css['columns']} data-side={!narrow && shown === 'funnel'}>
        {narrow && shown !== 'list' ? null : <ConversationList here={conversationId} hidden={hidden} />}
        {narrow && shown === 'funnel' ? side : null}
        <div className={css['talk']}>
          <LoadedView of={models.state} what={t('agent.reading_models')} rows={4} retry={models.reload}>
            {({ models: all }) => (
              <LoadedView of={profiles.state} what={t('agent.reading_models')} rows={4} retry={profiles.reload}>
                {({ profiles: some }) => {
                  const talk = { models: all, profiles: some, approval, fields, profileId, principal, onProfile: setProfileId };
                  return conversationId === null ? <Begin {...talk} /> : <Talk key={conversationId} conversationId={conversationId} onDelete={onDelete} {...talk} />;
                }}
              </LoadedView>
            )}
          </LoadedView>
        </div>
        {!narrow && shown === 'funnel' ? side : null}
      </div>
    </div>
  );
};
