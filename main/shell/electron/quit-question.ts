import type { HealthStatus } from '../../../shared/settings.ts';
import { counted, type DesktopWords } from './desktop-words.ts';

export interface Question {
  readonly title: string;
  readonly detail: string;
  /** the first keeps everything as it is, and is what Escape and Enter choose */
  readonly buttons: readonly [stay: string, go: string];
}

/** Asked before Gantry quits, where something would be cut off; it says what happens to each. Null: nothing would, so nobody is asked. */
export const quitQuestion = (health: Pick<HealthStatus, 'runningCalls' | 'awaitingApprovals' | 'servers'>, words: DesktopWords): Question | null => {
  if (health.runningCalls === 0 && health.awaitingApprovals === 0) return null;
  const live = health.servers.ready + health.servers.starting;
  const parts = [
    ...(health.runningCalls > 0 ? [counted(words.quitRunning, health.runningCalls)] : []),
    ...(health.awaitingApprovals > 0 ? [counted(words.quitWaiting, health.awaitingApprovals)] : []),
    ...(live > 0 ? [counted(words.quitServers, live)] : []),
  ];
  return { title: words.quitTitle, detail: parts.join('\n'), buttons: [words.stay, words.quitAnyway] };
};

/**
 * What the close button does: `hide` leaves Gantry in the tray, `quit` ends it (and asks first where something runs), `let` closes the window alone,
 * as macOS programs do, or because Gantry is ending anyway.
 */
export const onWindowClose = (facts: { readonly platform: NodeJS.Platform; readonly closeToTray: boolean; readonly trayShown: boolean; readonly ending: boolean }): 'hide' | 'quit' | 'let' => {
  if (facts.ending) return 'let';
  if (facts.closeToTray && facts.trayShown) return 'hide';
  return facts.platform === 'darwin' ? 'let' : 'quit';
};
