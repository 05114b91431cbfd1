import type { TFunction } from 'i18next';
import type { ApprovalRow } from '../../../shared/approval.ts';
import type { Question } from '../../../shared/question.ts';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import type { Run } from '../../../shared/run.ts';
import type { ServerSummary } from '../../../shared/server.ts';
import type { GuidePlace } from '../../features/help/guide-outline.ts';
import { escapeHidden } from '../../parts/hidden-characters.ts';
import { href, SETTINGS_SECTIONS, type SettingsSection } from '../../routes.ts';
import { act } from '../../stores/act.ts';
import { showOverlay } from '../../stores/overlay.ts';
import { guideItems } from './guide-items.ts';
import type { SearchItem } from './search-items.ts';

export interface OwnSources {
  readonly servers: readonly ServerSummary[];
  /** those that wait */
  readonly approvals: readonly ApprovalRow[];
  readonly questions: readonly Question[];
  readonly runs: readonly Run[];
  readonly stopped: boolean;
  readonly theme: 'system' | 'light' | 'dark';
  /** headings of the guide; none until it was read */
  readonly places: readonly GuidePlace[];
  /** settings that this shell has nothing of */
  readonly withoutSections: readonly SettingsSection[];
}

/** Words of the interface, in the language shown and in the other one. */
export interface Words {
  readonly t: TFunction;
  readonly other: TFunction;
  readonly language: 'en' | 'zh';
  /** a run's title, as it reads in the language shown */
  readonly titleOf: (run: Run) => string;
}

const PAGES = ['market', 'servers', 'capabilities', 'agent', 'planner', 'approvals', 'questions', 'runs', 'settings', 'guide', 'help', 'import'] as const;

/** Actions that go by other names too. */
const WORDED: ReadonlySet<string> = new Set(['light', 'dark', 'themeSystem', 'stopAll']);

/** All that the window can offer by itself. Names from servers are escaped: hidden characters are seen. */
export const ownItems = ({ servers, approvals, questions, runs, stopped, theme, places, withoutSections }: OwnSources, { t, other, language, titleOf }: Words): readonly SearchItem[] => {
  const otherTheme = theme === 'dark' ? 'light' : 'dark';
  const otherLanguage = language === 'zh' ? 'en' : 'zh';
  const action = (name: string, does: Pick<SearchItem, 'act' | 'to'>): SearchItem => {
    const more = WORDED.has(name) ? ` ${t(`app.actionWords.${name}`)} ${other(`app.actionWords.${name}`)}` : '';
    return { id: `action ${name}`, kind: 'action', label: t(`app.action.${name}`), detail: '', also: other(`app.action.${name}`), words: `${name}${more}`, ...does };
  };
  return [
    ...questions.map((one): SearchItem => {
      const name = escapeHidden(one.serverName);
      return { id: `question ${one.id}`, kind: 'approval', label: t('app.search.questionOf', { name }), detail: t(`questions.kind.${one.kind}`), also: other('app.search.questionOf', { name }), words: one.id, to: href.question(one.id) };
    }),
    ...approvals.map((one): SearchItem => {
      const name = escapeHidden(parseCapabilityId(one.capabilityId)?.name ?? one.capabilityId);
      return { id: `approval ${one.id}`, kind: 'approval', label: t('app.search.approvalOf', { name }), detail: escapeHidden(one.runTitle), also: other('app.search.approvalOf', { name }), words: one.id, to: href.approval(one.id) };
    }),
    ...PAGES.map((name): SearchItem => ({ id: `page ${name}`, kind: 'page', label: t(`app.page.${name}`), detail: '', also: other(`app.page.${name}`), words: name, to: href[name]() })),
    ...servers.map((one): SearchItem => ({ id: `server ${one.id}`, kind: 'server', label: escapeHidden(one.name), detail: one.id, words: '', to: href.server(one.id) })),
    ...runs.map((one): SearchItem => ({ id: `run ${one.id}`, kind: 'run', label: escapeHidden(titleOf(one)), detail: one.id, words: '', to: href.run(one.id) })),
    ...SETTINGS_SECTIONS.filter((name) => !withoutSections.includes(name)).map((name): SearchItem => ({
      id: `section ${name}`, kind: 'section', label: t(`app.section.${name}`), detail: t('app.page.settings'), also: other(`app.section.${name}`), words: `${t(`app.sectionWords.${name}`)} ${other(`app.sectionWords.${name}`)}`, to: href.settings(name),
    })),
    ...guideItems(places, t('app.page.help')),
    action('addNpm', { to: href.add('npm') }),
    action('addCommand', { to: href.add('command') }),
    action('addHttp', { to: href.add('http') }),
    stopped ? action('resume', { act: () => void act('calls:resume', {}) }) : action('stopAll', { act: () => void act('calls:stopAll', {}) }),
    action(otherTheme, { act: () => void act('settings:set', { theme: otherTheme }) }),
    action('themeSystem', { act: () => void act('settings:set', { theme: 'system' }) }),
    action(`language_${otherLanguage}`, { act: () => void act('settings:set', { language: otherLanguage }) }),
    action('keys', { act: () => showOverlay('keys') }),
    action('clearMarket', { to: href.market('') }),
  ];
};

/** What was chosen before and is no item of the window's own, by its id; null for what is gone, such as a server, or no longer known. */
export const itemOfChoice = ({ id, label }: { readonly id: string; readonly label: string }): SearchItem | null => {
  const at = id.indexOf(' ');
  const [kind, rest] = [id.slice(0, at), id.slice(at + 1)];
  const item = (to: string, detail = ''): SearchItem => ({ id, kind: kind as SearchItem['kind'], label, detail, words: '', to });
  if (kind === 'capability') return item(href.capability(rest), escapeHidden(rest));
  if (kind === 'entry') return item(href.marketEntry(rest));
  if (kind === 'conversation') return item(href.conversation(rest));
  if (kind === 'model') return item(href.settings('models'));
  if (kind === 'profile') return item(href.settings('profiles'));
  if (kind === 'run') return item(href.run(rest), rest);
  if (kind === 'call') return item(href.call(rest.split(' ', 1)[0]!, rest.split(' ')[1] ?? ''), rest.split(' ')[1] ?? '');
  return null;
};
