import type { i18n as I18n } from 'i18next';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import type { AgentProfile } from '../../../shared/agent-profile.ts';
import type { Conversation } from '../../../shared/conversation.ts';
import type { Model } from '../../../shared/model.ts';
import type { OutputOf } from '../../../shared/contract/contract.ts';
import type { Run } from '../../../shared/run.ts';
import { fold } from '../../../shared/search/words.ts';
import { bridge } from '../../bridge/bridge.ts';
import { escapeHidden } from '../../parts/hidden-characters.ts';
import { runTitle } from '../../parts/run-title.ts';
import { href } from '../../routes.ts';
import { EACH, type SearchItem } from './search-items.ts';

export interface FoundByHost {
  /** what was typed when this was asked; null before the first answer */
  readonly query: string | null;
  readonly items: readonly SearchItem[];
  /** models and profiles that have what was typed, and what that was */
  readonly agent: readonly SearchItem[];
  readonly agentQuery: string | null;
  /** the host could not answer */
  readonly failed: boolean;
}

/** What is looked for in a thread of its own may be there before the rest: it counts for its own query, whichever came first. */
interface Older {
  readonly query: string;
  readonly conversations: readonly SearchItem[];
  readonly runs: readonly SearchItem[];
}

const NONE_OLDER: Older = { query: '', conversations: [], runs: [] };
const NOTHING: FoundByHost = { query: null, items: [], agent: [], agentQuery: null, failed: false };
/** Runs of long ago are looked for among all, in a thread of their own: only when the person has paused. */
const PAUSE_MS = 250;
const LONGEST_QUERY = 200;

/**
 * What only the host knows: capabilities, market entries, older runs, calls. Asked at every key stroke; answers that a later one has overtaken are dropped, and what is
 * there stays until the next answer.
 */
export const useFoundByHost = (query: string): FoundByHost => {
  const { i18n } = useTranslation();
  const [found, setFound] = useState<FoundByHost>(NOTHING);
  const [older, setOlder] = useState(NONE_OLDER);
  useEffect(() => {
    let current = true;
    const typed = query.slice(0, LONGEST_QUERY).toWellFormed();
    void bridge.request('search:find', { query: typed, limit: EACH }).then((answer) => {
      if (current) setFound((before) => ({ ...before, query, items: answer.ok ? itemsOf(answer.value, i18n) : [], agent: typed.trim() === '' ? [] : before.agent, failed: !answer.ok }));
    });
    if (typed.trim() === '') return () => { current = false; };
    void Promise.all([bridge.request('models:list', {}), bridge.request('profiles:list', {})]).then(([models, profiles]) => {
      const more = [...(models.ok ? models.value.models.map(modelItem) : []), ...(profiles.ok ? profiles.value.profiles.map((one) => profileItem(one, i18n)) : [])].filter((item) => holds(item, typed));
      if (current) setFound((before) => ({ ...before, agent: more, agentQuery: query }));
    });
    const addOlder = (part: Partial<Older>): void => setOlder((before) => ({ ...(before.query === query ? before : NONE_OLDER), query, ...part }));
    const timer = setTimeout(() => {
      void bridge.request('conversations:search', { words: typed, limit: EACH }).then((answer) => {
        if (current && answer.ok) addOlder({ conversations: answer.value.found.map(({ conversation }) => conversationItem(conversation)) });
      });
      void bridge.request('runs:list', { words: typed, limit: EACH }).then((answer) => {
        if (current && answer.ok) addOlder({ runs: answer.value.runs.map((run) => runItem(run, i18n)) });
      });
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [query, i18n, i18n.language]);
  return useMemo(() => (older.query === query ? { ...found, items: [...found.items, ...older.conversations, ...older.runs] } : found), [found, older, query]);
};

const holds = ({ label, detail }: SearchItem, typed: string): boolean => fold(typed).split(/\s+/).every((word) => fold(`${label} ${detail}`).includes(word));
const conversationItem = ({ id, title }: Pick<Conversation, 'id' | 'title'>): SearchItem => ({ id: `conversation ${id}`, kind: 'conversation', label: escapeHidden(title), detail: '', words: '', to: href.conversation(id) });
const modelItem = ({ id, label, model, baseUrl }: Model): SearchItem => ({ id: `model ${id}`, kind: 'model', label: escapeHidden(label), detail: escapeHidden(label === model ? baseUrl : model), words: '', to: href.settings('models') });
const profileItem = ({ id, name }: AgentProfile, i18n: I18n): SearchItem => ({ id: `profile ${id}`, kind: 'profile', label: name === '' ? i18n.t('agent.default_profile') : escapeHidden(name), detail: id, words: '', to: href.settings('profiles') });

const runItem = (run: Pick<Run, 'id' | 'kind' | 'title'>, i18n: I18n): SearchItem => ({ id: `run ${run.id}`, kind: 'run', label: escapeHidden(runTitle(run, i18n)), detail: run.id, words: '', to: href.run(run.id) });

const itemsOf = ({ capabilities, entries, runs, calls }: OutputOf<'search:find'>, i18n: I18n): readonly SearchItem[] => [
  ...capabilities.map((one): SearchItem => ({ id: `capability ${one.id}`, kind: 'capability', label: escapeHidden(one.name), detail: escapeHidden(one.id), words: '', to: href.capability(one.id) })),
  ...entries.map((one): SearchItem => ({ id: `entry ${one.id}`, kind: 'entry', label: escapeHidden(one.name), detail: `${escapeHidden(one.publisher)} · ${i18n.t(`market.facet.kind.${one.kind}`)}`, words: '', to: href.marketEntry(one.id) })),
  ...runs.map((run) => runItem(run, i18n)),
  ...calls.map((one): SearchItem => ({ id: `call ${one.runId} ${one.id}`, kind: 'call', label: escapeHidden(parseCapabilityId(one.capabilityId)?.name ?? one.capabilityId), detail: one.id, words: '', to: href.call(one.runId, one.id) })),
];
