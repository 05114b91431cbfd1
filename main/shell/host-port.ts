import type { Fault } from '../../shared/fault.ts';
import type { Result } from '../../shared/result.ts';
import type { Place } from '../../shared/shell.ts';
import type { Bus } from '../bus.ts';
import type { Caller } from '../requests/handlers.ts';
import type { DesktopPort } from '../requests/shell-requests.ts';

/** What a shell offers the secret store: the operating system's sealing, as Electron has it. Plain bytes in, sealed bytes out. */
export interface SafeStoragePort {
  /** False where sealing is missing or would be `basic_text`, which is not encryption (M15). */
  available(): boolean;
  backend(): string;
  encrypt(plain: Buffer): Buffer;
  decrypt(sealed: Buffer): Buffer;
}

export interface HostOptions {
  readonly dataDir: string;
  readonly shell: 'electron' | 'loopback' | 'command' | 'test';
  readonly approvals: 'window' | 'script';
  readonly safeStorage?: SafeStoragePort;
  readonly language?: 'system' | 'en' | 'zh';
  /** The Node binary that starts npm servers, where it is not the one that runs the host (Electron). */
  readonly hostNode?: string;
  /** The built-in catalog and the first-party servers; where absent, `assets/` of this package. */
  readonly assetsDir?: string;
  /** The list of what ships, made by the build; where absent, beside the built window of this package. */
  readonly licencesFile?: string;
  /** What a shell with a program window of its own can do besides. */
  readonly desktop?: DesktopPort;
  /** Where a window is asked to go, until it takes it. */
  readonly places?: { take(): Place | null };
}

/** All that a shell knows of the host. */
export interface HostPort {
  handle(name: string, input: unknown, caller: Caller): Promise<Result<unknown, Fault>>;
  readonly bus: Pick<Bus, 'onAny' | 'emit'>;
  /** Ends every child process; at most 5 s. */
  close(): Promise<void>;
}

/** A host that holds its data folder and is not whole yet: what is asked of it waits until it is. */
export interface StartingHost extends HostPort {
  /** Loads and makes the rest; once. Rejects only by a bug. */
  compose(): Promise<void>;
}

/** Errors: those of opening the store, `instance_running` among them. */
export type StartHost = (options: HostOptions) => Promise<Result<StartingHost, Fault>>;
