import type { Outbound } from '../../network/outbound.ts';
import type { OutboundExecutor as Executor } from './outbound-executor.ts';
import type { UpdateState } from '../../../shared/shell.ts';
import { UpdateFeedSchema, type UpdateFeed } from './update-feed.ts';
import type { Updater } from './updates.ts';

type NoUpdate = Extract<UpdateState, { phase: 'none' }>['reason'];
export type FoundUpdater = { readonly updater: Updater; readonly feed: UpdateFeed; readonly over: (outbound: Outbound) => void } | { readonly updater: null; readonly reason: NoUpdate };

export interface UpdaterFacts {
  readonly packaged: boolean;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** package.json of this Gantry */
  readonly manifest: unknown;
}

const feedOf = (manifest: unknown): UpdateFeed | null => {
  const own = typeof manifest === 'object' && manifest !== null && 'gantry' in manifest ? manifest.gantry : null;
  const parsed = UpdateFeedSchema.safeParse(typeof own === 'object' && own !== null && 'updateFeed' in own ? own.updateFeed : null);
  return parsed.success ? parsed.data : null;
};

/** Whether this Gantry updates itself: from a package with a feed and its key, and on Linux as an AppImage only, because whoever installed a deb owns its files. */
export const updaterFor = (facts: UpdaterFacts): { readonly feed: UpdateFeed } | { readonly reason: NoUpdate } => {
  if (!facts.packaged) return { reason: 'not_packaged' };
  const feed = feedOf(facts.manifest);
  if (!feed) return { reason: 'no_feed' };
  return facts.platform === 'linux' && !facts.env['APPIMAGE'] ? { reason: 'system_package' } : { feed };
};

/** electron-updater for this system, set so that it does nothing by itself. Loaded only where there is a feed. */
export const openUpdater = async (facts: UpdaterFacts): Promise<FoundUpdater> => {
  const found = updaterFor(facts);
  if ('reason' in found) return { updater: null, reason: found.reason };
  const [{ default: electronUpdater }, { SignedFeed }, { OutboundExecutor }] = await Promise.all([import('electron-updater'), import('./signed-feed.ts'), import('./outbound-executor.ts')]);
  const updater = electronUpdater.autoUpdater;
  setUpdater(updater);
  updater.setFeedURL({ provider: 'custom', updateProvider: SignedFeed, ...found.feed } as unknown as Parameters<typeof updater.setFeedURL>[0]);
  return { updater, feed: found.feed, over: (outbound) => askOver(updater, new OutboundExecutor(outbound, found.feed.url)) };
};

/** Nothing is fetched, installed or rolled back unless a person asks; every version counts for everybody. */
export const setUpdater = (updater: import('electron-updater').AppUpdater): void => {
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  updater.disableWebInstaller = true;
  updater.disableDifferentialDownload = true;
  updater.isUserWithinRollout = () => true;
  updater.logger = null;
};

/** The place of its requests is electron-updater's own and not declared for others; the tests of updates hold it. */
export const askOver = (updater: import('electron-updater').AppUpdater, executor: Executor): void => {
  (updater as unknown as { httpExecutor: unknown }).httpExecutor = executor;
};
