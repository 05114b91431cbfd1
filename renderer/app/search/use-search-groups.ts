import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { runTitle } from '../../parts/run-title.ts';
import { useApprovals } from '../../stores/approvals.ts';
import { useHealth } from '../../stores/health.ts';
import { useWaitingQuestions } from '../../stores/questions.ts';
import { useRuns } from '../../stores/runs.ts';
import { useServers } from '../../stores/servers.ts';
import { useSettings } from '../../stores/settings.ts';
import { sectionsWithout, useShell } from '../../stores/shell.ts';
import { itemOfChoice, ownItems } from './own-items.ts';
import { groupsOf, indexOf, type SearchGroup } from './search-items.ts';
import { useFoundByHost } from './use-found-by-host.ts';
import { useGuidePlaces } from './use-guide-places.ts';

/** What to show for what is typed. `settled`: the host has answered this very query. */
export const useSearchGroups = (query: string): { readonly groups: readonly SearchGroup[]; readonly settled: boolean; readonly failed: boolean } => {
  const { t, i18n } = useTranslation();
  const language = i18n.language === 'zh' ? 'zh' : 'en';
  const servers = useServers((state) => state.servers);
  const questions = useWaitingQuestions();
  const approvals = useApprovals((state) => state.approvals);
  const runs = useRuns((state) => state.runs);
  const stopped = useHealth((state) => state.health.phase === 'ready' && state.health.value.stopped);
  const theme = useSettings((state) => (state.settings.phase === 'ready' ? state.settings.value.theme : 'system'));
  const choices = useSettings((state) => (state.settings.phase === 'ready' ? state.settings.value.recentChoices : NO_CHOICES));
  const shell = useShell((state) => state.shell);
  const places = useGuidePlaces(language);
  const host = useFoundByHost(query);

  const own = useMemo(() => {
    const withoutSections = sectionsWithout(shell);
    const items = ownItems(
      { servers: servers.phase === 'ready' ? servers.value : [], approvals: approvals.phase === 'ready' ? approvals.value : [], questions, runs: runs.phase === 'ready' ? runs.value : [], stopped, theme, places, withoutSections },
      { t, other: i18n.getFixedT(language === 'zh' ? 'en' : 'zh'), language, titleOf: (run) => runTitle(run, i18n) },
    );
    return { items, index: indexOf(items) };
  }, [servers, approvals, questions, runs, stopped, theme, places, shell, t, i18n, language]);
  const recent = useMemo(() => {
    const byId = new Map(own.items.map((item) => [item.id, item]));
    return choices.flatMap((choice) => byId.get(choice.id) ?? itemOfChoice(choice) ?? []);
  }, [own, choices]);
  const groups = useMemo(() => groupsOf({ query, own: own.items, index: own.index, ofHost: query.trim() === '' ? [] : [...host.items, ...host.agent], recent }), [query, own, host.items, host.agent, recent]);
  return { groups, settled: host.query === query && (host.agentQuery === query || query.trim() === ''), failed: host.failed };
};

const NO_CHOICES: readonly { readonly id: string; readonly label: string }[] = [];
