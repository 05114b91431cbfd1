import type { Fault } from '../../shared/fault.ts';
import type { Result } from '../../shared/result.ts';
import type { ServerSummary } from '../../shared/server.ts';
import type { Bus } from '../bus.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Outbound } from '../network/outbound.ts';
import type { Masker } from '../secrets/mask.ts';
import type { Store } from '../store/database.ts';
import type { QuestionPort } from './questions/question-port.ts';
import type { RecoveringCall } from './call-with-recovery.ts';
import type { TokenSecrets } from './auth/credentials.ts';
import type { SignInDeps } from './auth/server-sign-in.ts';
import type { DiscoveredLists } from './discovered-lists.ts';
import type { UsageLimits } from './group-usage.ts';
import type { OpenDeps } from './open-session.ts';
import type { Retried } from './recovery-course.ts';

/** What the pool of servers needs. */
export interface ServerPoolDeps {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly secrets: TokenSecrets & { readonly remember?: (variable: string, value: string) => void };
  /** the https address of Gantry's client metadata document (OAuth); null where none is published */
  readonly clientDocument?: () => string | null;
  readonly log: Log;
  readonly dataDir: string;
  /** absolute path of the Node that runs npm and first-party servers */
  readonly hostNode: string;
  readonly assetsDir?: string;
  readonly network: {
    readonly outbound: Outbound;
    /** what the network settings give a server's process, and under which names */
    appEnvironment(onOwnNode: boolean): Promise<Readonly<Record<string, string>>>;
    appNames(onOwnNode: boolean): readonly string[];
  };
  readonly verifyInstallation: (serverId: string) => Promise<Result<unknown, Fault>>;
  readonly onDiscovered: (lists: DiscoveredLists) => Promise<void>;
  readonly onSourceLeft: (serverId: string, reason: string) => void;
  /** it is down, and nothing starts it again by itself */
  readonly onRests?: (serverId: string, why: Fault) => void;
  /** a server is ready; `icons` as it named them, `url` where it is reached, null for a process */
  readonly onReady?: (serverId: string, icons: unknown, url: string | null) => void;
  /** a server says that a watched resource of it changed */
  readonly onResourceUpdated?: (serverId: string, uri: string) => void;
  /** recovery of a server failed, or can do nothing: runs that use it stop using it */
  readonly onConfirmed?: (serverId: string, why: Fault) => void;
  /** a try on a fresh connection ended */
  readonly onRetried?: (serverId: string, retried: Retried) => void;
  readonly accessOf?: (serverId: string) => Pick<ServerSummary, 'agentAccess' | 'grantedCount'>;
  /** who asks the person what a server asks; without it nothing but roots is offered */
  readonly questions?: QuestionPort;
  /** resolves when no window waits for the host; a crowd of servers starts then */
  readonly quiet?: () => Promise<void>;
  /** hides known secret values */
  readonly mask?: Masker;
  readonly version?: string;
  /** limits and chance, for tests */
  readonly open?: Partial<Omit<OpenDeps, 'probeFailed'>>;
  readonly stableRunMs?: number;
  readonly crashFirstWaitMs?: number;
  readonly random?: () => number;
  readonly usage?: UsageLimits;
  readonly signIn?: Pick<SignInDeps, 'limitMs'>;
}

export interface Connected {
  readonly state: string;
  readonly code?: string;
  readonly fault?: Fault;
}

export interface ToolCall extends RecoveringCall {
  readonly serverId: string;
}
