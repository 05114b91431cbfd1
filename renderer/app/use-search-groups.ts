import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { parseCapabilityId } from '../../shared/capability.ts';
import { escapeHidden } from '../parts/hidden-characters.ts';
import { runTitle } from '../parts/run-title.ts';
import { href } from '../routes.ts';
import { act } from '../stores/act.ts';
import { useCapabilityRows } from '../stores/capabilities.ts';
import { useHealth } from '../stores/health.ts';
import { useRuns } from '../stores/runs.ts';
import { useServers } from '../stores/servers.ts';
import { useSettings } from '../stores/settings.ts';
import { rankedBy, type Findable } from './search-rank.ts';

export interface Found extends Findable {
  readonly id: string;
  readonly detail: string;
  readonly act: () => void;
  /** it leads to a page, which takes the focus */
  readonly goes?: boolean;
}
export interface FoundGroup {
  readonly title: string;
  readonly found: readonly Found[];
}

const EACH = 7;
const go = (to: string): Pick<Found, 'act' | 'goes'> => ({
  goes: true,
  act: () => {
    if (location.hash !== to) return void (location.hash = to);
    // no address changes, so nothing else tells the page that it was asked for
    const main = document.getElementById('main');
    main?.focus({ preventScroll: true });
    main?.scrollTo({ top: 0 });
  },
});

/** Pages, servers, capabilities, runs and actions that fit the query. Names from servers are escaped: hidden characters are seen. */
export const useSearchGroups = (query: string, open: boolean): readonly FoundGroup[] => {
  const { t, i18n } = useTranslation();
  const servers = useServers((state) => state.servers);
  const capabilities = useCapabilityRows(open);
  const runs = useRuns((state) => state.runs);
  const stopped = useHealth((state) => state.health.phase === 'ready' && state.health.value.stopped);
  const settings = useSettings((state) => state.settings);
  const theme = settings.phase === 'ready' ? settings.value.theme : 'system';

  return useMemo(() => {
    if (!open) return [];
    const page = (key: string, to: string): Found => ({ id: `page ${key}`, label: t(`app.page.${key}`), words: key, detail: '', ...go(to) });
    const action = (key: string, does: Pick<Found, 'act' | 'goes'>): Found => ({ id: `action ${key}`, label: t(`app.action.${key}`), words: key, detail: '', ...does });
    const otherTheme = theme === 'dark' ? 'light' : 'dark';
    const otherLanguage = i18n.language === 'zh' ? 'en' : 'zh';
    const pages = [
      page('market', href.market()),
      page('servers', href.servers()),
      page('capabilities', href.capabilities()),
      page('approvals', href.approvals()),
      page('runs', href.runs()),
      page('settings', href.settings()),
      page('guide', href.guide()),
    ];
    const actions = [
      action('addNpm', go(href.add('npm'))),
      action('addCommand', go(href.add('command'))),
      action('addHttp', go(href.add('http'))),
      action('import', go(href.import())),
      stopped ? action('resume', { act: () => void act('calls:resume', {}) }) : action('stopAll', { act: () => void act('calls:stopAll', {}) }),
      action(otherTheme, { act: () => void act('settings:set', { theme: otherTheme }) }),
      action(`language_${otherLanguage}`, { act: () => void act('settings:set', { language: otherLanguage }) }),
    ];
    const serverRows = (servers.phase === 'ready' ? servers.value : []).map((one): Found => ({ id: `server ${one.id}`, label: escapeHidden(one.name), words: one.id, detail: one.id, ...go(href.server(one.id)) }));
    const capabilityRows = (capabilities.phase === 'ready' ? capabilities.value : []).map(
      (one): Found => ({
        id: `capability ${one.id}`,
        label: escapeHidden(parseCapabilityId(one.id)?.name ?? one.id),
        words: `${one.title ?? ''} ${one.id}`,
        detail: escapeHidden(one.id),
        ...go(href.capability(one.id)),
      }),
    );
    const runRows = (runs.phase === 'ready' ? runs.value : []).map((one): Found => ({ id: `run ${one.id}`, label: escapeHidden(runTitle(one, i18n)), words: one.id, detail: one.id, ...go(href.run(one.id)) }));
    return [
      { title: t('app.search.pages'), found: rankedBy(query, pages, EACH) },
      { title: t('app.page.servers'), found: rankedBy(query, serverRows, EACH) },
      { title: t('app.page.capabilities'), found: query.trim() === '' ? [] : rankedBy(query, capabilityRows, EACH) },
      { title: t('app.page.runs'), found: rankedBy(query, runRows, query.trim() === '' ? 3 : EACH) },
      { title: t('app.search.actions'), found: rankedBy(query, actions, EACH) },
    ].filter((group) => group.found.length > 0);
  }, [open, query, servers, capabilities, runs, stopped, theme, t, i18n, i18n.language]);
};
