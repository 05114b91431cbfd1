import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { HealthStatus } from '../../shared/settings.ts';
import type { Place, ShellStatus } from '../../shared/shell.ts';
import type { Outbound } from '../network/outbound.ts';
import type { LicenceFile } from '../licence-file.ts';
import type { HandlersOf } from './handlers.ts';

/** What a shell with a program window of its own offers the host. Failures are coded; nothing here decides an approval. */
export interface DesktopPort {
  status(): ShellStatus;
  /** The way out that the host made; updates take it. */
  useNetwork?(outbound: Outbound): void;
  setLaunchAtLogin(on: boolean): Promise<Result<void, Fault>>;
  /** In the system's file manager. */
  openFolder(path: string): Promise<Result<void, Fault>>;
  checkForUpdate(): Promise<Result<void, Fault>>;
  downloadUpdate(): Promise<Result<void, Fault>>;
  /** Does not return where it works: the program ends. */
  restartForUpdate(): Promise<Result<void, Fault>>;
}

/** The status of a shell that has no program window. */
export const plainShell = (kind: ShellStatus['kind']): ShellStatus => ({
  kind,
  can: { closeToTray: false, notify: false, launchAtLogin: false, update: false, openFolder: false },
  launchAtLogin: false,
  updateFeed: null,
  update: { phase: 'none', reason: 'other_shell' },
});

export interface ShellRequestsDeps {
  readonly kind: ShellStatus['kind'];
  readonly desktop: DesktopPort | undefined;
  readonly places: { take(): Place | null } | undefined;
  readonly licences: LicenceFile;
  readonly health: () => Pick<HealthStatus, 'runningCalls' | 'awaitingApprovals'>;
}

export const shellRequests = ({ kind, desktop, places, licences, health }: ShellRequestsDeps): HandlersOf<'shell' | 'updates' | 'about'> => {
  const shell = (): ShellStatus => desktop?.status() ?? plainShell(kind);
  const notHere = (what: keyof ShellStatus['can']): Result<never, Fault> =>
    err(fault('not_in_this_shell', `This shell of Gantry cannot do that (${what}).`, { remedy: 'Use the desktop application.', details: { shell: kind, what } }));
  const act = async (what: 'launchAtLogin' | 'update', run: (port: DesktopPort) => Promise<Result<void, Fault>>): Promise<Result<{ shell: ShellStatus }, Fault>> => {
    if (!desktop?.status().can[what]) return notHere(what);
    const done = await run(desktop);
    return done.ok ? ok({ shell: shell() }) : done;
  };
  return {
    'shell:get': () => ok({ shell: shell() }),
    'shell:setLaunchAtLogin': ({ on }) => act('launchAtLogin', (port) => port.setLaunchAtLogin(on)),
    'shell:takePlace': () => ok({ place: places?.take() ?? null }),
    'updates:check': () => act('update', (port) => port.checkForUpdate()),
    'updates:download': () => act('update', (port) => port.downloadUpdate()),
    'updates:restart': async () => {
      const { runningCalls, awaitingApprovals } = health();
      if (runningCalls + awaitingApprovals > 0) {
        return err(fault('conflict', 'Something runs or waits for a decision.', { remedy: 'Let the calls end and decide what waits, then restart.', details: { state: 'busy', runningCalls, awaitingApprovals } }));
      }
      const done = await act('update', (port) => port.restartForUpdate());
      return done.ok ? ok({}) : done;
    },
    'about:licences': () => licences.list(),
    'about:licence': ({ name, version }) => licences.text(name, version),
  };
};
