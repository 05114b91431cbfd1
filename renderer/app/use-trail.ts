import { useTranslation } from 'react-i18next';
import { parseCapabilityId } from '../../shared/capability-id.ts';
import { href, type Route } from '../routes.ts';
import { useServers } from '../stores/servers.ts';
import { useEntryName } from './use-entry-name.ts';
import { useRunTitle } from './use-run-title.ts';

interface Crumb {
  readonly label: string;
  readonly to: string;
}

/** The breadcrumb of a place: its page, then its object by name where it is known, by id where it is not. */
export const useTrail = (route: Route): readonly Crumb[] => {
  const { t } = useTranslation();
  const servers = useServers((state) => state.servers);
  const runTitle = useRunTitle(route.page === 'run' ? route.runId : null);
  const entryId = route.page === 'market' || (route.page === 'add' && route.from === 'market') ? route.entryId : null;
  const entryName = useEntryName(entryId) ?? entryId ?? '';
  const nameOf = (serverId: string): string => (servers.phase === 'ready' ? servers.value.find((one) => one.id === serverId)?.name : undefined) ?? serverId;
  const market: Crumb = { label: t('app.page.market'), to: href.market() };
  const all: Crumb = { label: t('app.page.servers'), to: href.servers() };
  switch (route.page) {
    case 'market':
      return route.entryId === null ? [market] : [market, { label: entryName, to: '' }];
    case 'add':
      return route.from === 'market' ? [market, ...(route.entryId === null ? [] : [{ label: entryName, to: href.marketEntry(route.entryId) }]), { label: t('app.page.add'), to: '' }] : [all, { label: t('app.page.add'), to: '' }];
    case 'import':
      return [all, { label: t('app.page.import'), to: '' }];
    case 'servers':
      return [all];
    case 'server':
      return [all, { label: nameOf(route.serverId), to: href.server(route.serverId) }];
    case 'configure':
      return [all, { label: nameOf(route.serverId), to: href.server(route.serverId) }, { label: t('app.page.configure'), to: '' }];
    case 'capability':
      return [{ label: t('app.page.capabilities'), to: href.capabilities() }, { label: parseCapabilityId(route.capabilityId)?.name ?? route.capabilityId, to: '' }];
    case 'questions':
      return [{ label: t('app.page.approvals'), to: href.approvals() }, { label: t('app.page.questions'), to: '' }];
    case 'planner':
      return [{ label: t('app.page.agent'), to: href.agent() }, { label: t('app.page.planner'), to: '' }];
    case 'run':
      return [{ label: t('app.page.runs'), to: href.runs() }, { label: runTitle ?? route.runId, to: '' }];
    case 'unknown':
      return [{ label: t('app.page.unknown'), to: '' }];
    default:
      return [{ label: t(`app.page.${route.page}`), to: '' }];
  }
};
