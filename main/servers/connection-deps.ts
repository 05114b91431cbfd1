import type { Fault } from '../../shared/fault.ts';
import type { Result } from '../../shared/result.ts';
import type { Launch, LogLine, ServerFact } from '../../shared/server.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Masker } from '../secrets/mask.ts';
import type { ServerRow } from '../store/servers.ts';
import type { DiscoveredLists } from './discovered-lists.ts';
import type { RevealSecret } from './child-environment.ts';
import type { Asking } from './questions/asking.ts';
import type { OpenDeps, OpenInput } from './open-session.ts';
import type { Retried } from './recovery-course.ts';

/** What one connection needs of its pool; all store access is here. */
export interface ConnectionDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly open: Omit<OpenDeps, 'probeFailed'>;
  /** ms of being ready after which earlier crashes are forgotten */
  readonly stableRunMs: number;
  /** wait before the first try after a crash; doubled each time */
  readonly crashFirstWaitMs: number;
  readonly random: () => number;
  readonly reveal: RevealSecret;
  /** see `FillDeps` */
  readonly remember: (variable: string, value: string) => void;
  /** hides known secret values in what a server says of itself */
  readonly mask: Masker;
  readonly authorizationFor: OpenInput['authorizationFor'];
  readonly agreedKinds: OpenInput['agreedKinds'];
  /** what the server may ask of us */
  readonly asking: Omit<Asking, 'log'>;
  row(): ServerRow | null;
  launch(row: ServerRow): Launch;
  keepEra(era: 'legacy' | 'modern'): void;
  addFact(fact: Omit<ServerFact, 'at'>): void;
  saveDiscovery(lists: DiscoveredLists): void;
  verifyInstallation(): Promise<Result<unknown, Fault>>;
  onDiscovered(lists: DiscoveredLists): Promise<void>;
  onSourceLeft(reason: string): void;
  /** it is down, and nothing starts it again by itself */
  onRests(why: Fault): void;
  /** what is watched of it changed, as it says */
  resourceUpdated(uri: string): void;
  /** its lists are read and it can be used */
  onReady(icons: unknown, url: string | null): void;
  recordProcess(pid: number, token: string): void;
  forgetProcess(token: string): void;
  /** recovery failed, or can do nothing: calls of this source stop until something changes */
  confirmed(why: Fault): void;
  /** a try on a fresh connection ended */
  retried(retried: Retried): void;
  /** state, latest line or facts changed */
  changed(): void;
  logged(lines: LogLine[], droppedLines: number): void;
  /** what a crash of the host left behind of this server is gone */
  readonly reaped: Promise<void>;
}
