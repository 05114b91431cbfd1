import type { HealthStatus } from '../../../shared/settings.ts';
import { counted, type DesktopWords } from './desktop-words.ts';

export type TrayAct = 'open' | 'approvals' | 'questions' | 'servers' | 'stopAll' | 'resume' | 'quit';
export type TrayItem = { readonly kind: 'line' } | { readonly kind: 'text'; readonly label: string } | { readonly kind: 'act'; readonly label: string; readonly act: TrayAct };

export interface TrayContent {
  readonly tooltip: string;
  /** approvals and questions of servers that wait: the number beside the icon, and whether the icon has its dot */
  readonly waiting: number;
  readonly items: readonly TrayItem[];
}

/** A person's own decision: such a server is away because it was asked to be. */
const AWAY_ON_PURPOSE: ReadonlySet<string> = new Set(['disabled', 'quarantined']);

/** Servers that want something of the person, and come back by themselves neither now nor later. */
const serversInNeed = (health: Pick<HealthStatus, 'serversDetail'>): number =>
  health.serversDetail.filter(({ state, code }) => state === 'unavailable' && !AWAY_ON_PURPOSE.has(code ?? '')).length;

/** What the tray shows of a host's state: what awaits the person first, then what can be done at once. `null`: the host is not there yet. */
export const trayContent = (health: Pick<HealthStatus, 'awaitingApprovals' | 'awaitingQuestions' | 'serversDetail' | 'stopped' | 'runningCalls'> | null, words: DesktopWords): TrayContent => {
  const act = (label: string, name: TrayAct): TrayItem => ({ kind: 'act', label, act: name });
  const line: TrayItem = { kind: 'line' };
  const end = [act(words.open, 'open'), line, act(words.quit, 'quit')];
  if (!health) return { tooltip: 'Gantry', waiting: 0, items: end };
  const inNeed = serversInNeed(health);
  const awaits = [
    ...(health.awaitingApprovals > 0 ? [act(counted(words.approvals, health.awaitingApprovals), 'approvals')] : []),
    ...(health.awaitingQuestions > 0 ? [act(counted(words.questions, health.awaitingQuestions), 'questions')] : []),
    ...(inNeed > 0 ? [act(counted(words.serversNeed, inNeed), 'servers')] : []),
  ];
  const facts: TrayItem[] = [...(awaits.length === 0 ? [words.nothingWaits] : []), ...(health.runningCalls > 0 ? [counted(words.running, health.runningCalls)] : []), ...(health.stopped ? [words.stopped] : [])].map((label) => ({ kind: 'text', label }));
  const said = [...awaits, ...facts].map((item) => ('label' in item ? item.label : ''));
  return {
    tooltip: ['Gantry', ...said].join('\n'),
    waiting: health.awaitingApprovals + health.awaitingQuestions,
    items: [...awaits, ...facts, line, act(words.open, 'open'), health.stopped ? act(words.resume, 'resume') : act(words.stopAll, 'stopAll'), line, act(words.quit, 'quit')],
  };
};
