import type { CleanupItem, DataProgress } from '../../shared/data.ts';
import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Bus } from '../bus.ts';
import type { Clock } from '../clock.ts';
import type { Backups } from '../data/backup/backups.ts';
import { cleanUp } from '../data/clean-up.ts';
import type { TellProgress } from '../data/data-jobs.ts';
import { problemReport } from '../data/problem-report.ts';
import type { ReportDeps } from '../data/problem-report.ts';
import type { History } from '../data/history.ts';
import { planReset } from '../data/reset.ts';
import { runDataJob } from '../data/run-data-job.ts';
import type { Installer } from '../market/installer.ts';
import type { Store } from '../store/database.ts';
import { listDeletedRuns } from '../store/deleted-runs.ts';
import { listServerIds, listServers } from '../store/servers.ts';
import type { HandlersOf } from './handlers.ts';
import type { DesktopPort } from './shell-requests.ts';
import type { InstallJobs } from './servers/install-jobs.ts';

export interface DataRequestsDeps {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly installer: Pick<Installer, 'clearDownloads'>;
  readonly jobs: Pick<InstallJobs, 'list'>;
  readonly dataDir: string;
  readonly desktop: DesktopPort | undefined;
  readonly report: ReportDeps;
  readonly history: History;
  readonly backups: Backups;
  readonly resetSettings: () => void;
  /** absent where nobody makes the host anew */
  readonly onReplaced: ((wanted: { readonly passphrase?: string }) => void) | undefined;
  /** aborted when the host closes */
  readonly closing: AbortSignal;
}

/** Tells the windows how far a job is. */
export const progressOf = (bus: Bus, job: DataProgress['job']): TellProgress => (step, done, total) => bus.emit('data:progress', { job, step, done, total });

export const dataRequests = (deps: DataRequestsDeps): HandlersOf<'data' | 'report' | 'history' | 'backup'> => {
  const { store, bus, dataDir } = deps;
  let measuring = false;
  let items: ReadonlyMap<string, CleanupItem> = new Map();
  const used = (): ReadonlySet<string> => new Set([...store.read(listServerIds), ...deps.jobs.list().map(({ row }) => row.id)]);
  return {
    'data:measure': async () => {
      if (measuring) return err(fault('conflict', 'The data folder is being measured already.', { remedy: 'Wait until it is done.', details: { state: 'measuring' } }));
      measuring = true;
      const measured = await runDataJob('measure', { dataDir, databasePath: store.path, used: [...used()] }, { signal: deps.closing, onProgress: progressOf(bus, 'measure') });
      measuring = false;
      if (!measured.ok) return measured;
      items = new Map(measured.value.cleanup.map((item) => [item.id, item]));
      const names = new Map(store.read(listServers).map((row) => [row.id, row.name]));
      const apps = measured.value.apps.map((app) => ({ ...app, name: names.get(app.serverId) ?? null })).toSorted((a, b) => b.packageBytes + b.homeBytes - a.packageBytes - a.homeBytes);
      return ok({ overview: { ...measured.value, parts: [...measured.value.parts], cleanup: [...measured.value.cleanup], unread: [...measured.value.unread], apps, measuredAt: deps.clock.now() } });
    },
    'data:cleanup': async ({ ids }) => {
      const unknown = ids.findIndex((id) => !items.has(id));
      if (unknown >= 0) return err(fault('not_found', `Nothing of that name was measured: ${ids[unknown]!.slice(0, 200)}.`, { field: `/ids/${unknown}`, remedy: 'Measure with data:measure and take an id of its answer.' }));
      const picked = [...new Set(ids)].map((id) => items.get(id)!);
      return ok(await cleanUp(picked, { dataDir, used, clearDownloads: () => deps.installer.clearDownloads(), onProgress: progressOf(bus, 'cleanup') }));
    },
    'data:open': async () => {
      const { desktop } = deps;
      if (!desktop?.status().can.openFolder) return err(fault('not_in_this_shell', 'A browser window cannot open the file manager.', { remedy: 'Open the folder by its path, or use the desktop application.', details: { path: dataDir } }));
      const opened = await desktop.openFolder(dataDir);
      return opened.ok ? ok({}) : opened;
    },
    'data:reset': (wanted) => {
      if (wanted.what === 'settings') {
        deps.resetSettings();
        return ok({ what: 'settings' as const, setAside: null });
      }
      if (!deps.onReplaced) return err(fault('not_in_this_shell', 'This host cannot begin anew.', { remedy: 'Use the window, or the gantry command.' }));
      const setAside = planReset({ store, dataDir, now: deps.clock.now(), database: wanted.database });
      deps.onReplaced({});
      return ok({ what: 'everything' as const, setAside });
    },
    'backup:suggest': () => ok({ path: deps.backups.suggest() }),
    'backup:create': (input) => deps.backups.create(input),
    'backup:read': ({ path, acceptBroken }) => deps.backups.read(path, acceptBroken),
    'backup:forget': async ({ previewId }) => {
      await deps.backups.forget(previewId);
      return ok({});
    },
    'backup:restore': async ({ passphrase, ...from }) => {
      if (!deps.onReplaced) return err(fault('not_in_this_shell', 'This host cannot begin anew.', { remedy: 'Use the window, or the gantry command.' }));
      const read = 'path' in from ? await deps.backups.read(from.path, from.acceptBroken) : ok({ preview: { previewId: from.previewId } });
      if (!read.ok) return read;
      const restored = await deps.backups.restore(read.value.preview.previewId, passphrase);
      if (restored.ok) deps.onReplaced(passphrase === undefined ? {} : { passphrase });
      return restored;
    },
    'history:preview': ({ select }) => deps.history.preview(select),
    'history:delete': ({ select, includeOutcomeUnknown }, caller) => deps.history.delete(select, includeOutcomeUnknown, { by: caller.kind }),
    'history:deleted': (page) => ok({ deleted: [...store.read((db) => listDeletedRuns(db, page))] }),
    'report:make': () => ok(problemReport(deps.report)),
  };
};
