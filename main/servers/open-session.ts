import type { AgreeableKind } from '../../shared/address-agreement.ts';
import type { Launch } from '../../shared/server.ts';
import type { Fault } from '../../shared/fault.ts';
import { templateParts } from '../../shared/placeholders.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { RequestAuthorization } from './auth/request-authorization.ts';
import { configuredOrigin } from '../network/address-guard.ts';
import type { Outbound } from '../network/outbound.ts';
import type { Masker } from '../secrets/mask.ts';
import type { ServerRow } from '../store/servers.ts';
import { revealArguments, revealValues, type RevealSecret } from './child-environment.ts';
import { placeholderFiller, type FillText } from './fill-placeholders.ts';
import type { FrameLane } from './frame-lane.ts';
import type { HttpLimits } from './guarded-fetch.ts';
import type { Asking } from './questions/asking.ts';
import type { LedgerEvents } from './ledger.ts';
import type { InboundEvents } from './inbound.ts';
import type { SearchedPath } from './login-path.ts';
import { fromHome, runsOnOwnNode } from './launch.ts';
import type { Session } from './session.ts';

/** What one connection hears of its session. */
export interface SessionEvents extends Omit<InboundEvents, 'progress'>, LedgerEvents {
  /** hides known secret values */
  readonly mask: Masker;
  /** what the server may ask of us */
  readonly asking: Asking;
  stderrLine(text: string): void;
  /** an unfinished line on stderr, as it stands */
  stderrPart(text: string): void;
  junkLine(text: string): void;
  spawned(pid: number, token: string): void;
  /** nothing of the process group is left */
  groupGone(token: string): void;
  /** an open session ended by itself, or was stopped */
  closed(why: Fault): void;
}

/** Limits and shared parts of every start; times in ms. */
export interface OpenDeps {
  readonly path: SearchedPath;
  readonly version: string;
  /** how long the newer era's question may stay unanswered before the older era is spoken on the same process */
  readonly probeTimeoutMs: number;
  readonly httpProbeTimeoutMs: number;
  readonly startLimitMs: number;
  readonly startHardLimitMs: number;
  readonly httpLimitMs: number;
  readonly httpLimits?: HttpLimits;
  /** reads large frames in worker threads; without it they are read in place */
  readonly frames?: FrameLane | undefined;
  readonly ladder?: { readonly graceMs: number; readonly termMs: number; readonly killMs: number };
  /** the way to a remote endpoint */
  readonly outbound: Outbound;
  /** what the network settings give a server's process */
  readonly networkEnv: (onOwnNode: boolean) => Promise<Readonly<Record<string, string>>>;
  /** this server cannot bear the newer era's question */
  readonly probeFailed: () => void;
}

export const OPEN_LIMITS = {
  probeTimeoutMs: 8000,
  httpProbeTimeoutMs: 10_000,
  startLimitMs: 120_000,
  startHardLimitMs: 15 * 60_000,
  httpLimitMs: 60_000,
} as const;

export interface OpenInput {
  readonly row: ServerRow;
  readonly launch: Launch;
  readonly reveal: RevealSecret;
  /** see `FillDeps` */
  readonly remember: (variable: string, value: string) => void;
  readonly mode: 'legacy' | 'auto';
  readonly events: SessionEvents;
  readonly signal: AbortSignal;
  readonly lastLines: () => string[];
  /** how requests to a remote address are authorized */
  readonly authorizationFor: (address: string) => RequestAuthorization | null;
  /** where the person agreed that the name of a remote address may lead */
  readonly agreedKinds: (url: string) => readonly AgreeableKind[];
}

/** What may stand in one part of a path or of a query as it is (RFC 3986, 3.3), `%` for what is encoded already. */
const PART = /[^A-Za-z0-9\-._~%!$'()*+,;=:@]/gu;

/** A value filled into an address is one part of its path or query: it cannot make it another address. The origin holds no placeholder. */
const filledUrl = (url: string, fill: FillText): Result<string, Fault> => {
  const parts = templateParts(url);
  let whole = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      whole += part;
      continue;
    }
    const value = fill(part.raw, 'url');
    if (!value.ok) return value;
    whole += value.value === part.raw ? part.raw : value.value.replace(PART, encodeURIComponent);
  }
  return ok(whole);
};

/** A key that the person configured speaks for them; no sign-in is mixed with it. */
export const hasOwnKey = ({ headers }: Pick<Extract<Launch, { kind: 'http' }>, 'headers'>): boolean => Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');

/** Where the requests of a remote launch go. Errors: those of a placeholder that has no value. */
export const filledAddress = (launch: Extract<Launch, { kind: 'http' }>, { reveal, remember }: Pick<OpenInput, 'reveal' | 'remember'>): Result<string, Fault> =>
  filledUrl(launch.url, placeholderFiller(launch.placeholders, { reveal, remember, hostEnv: process.env }));

/** Opens the session that a launch describes. Secrets are revealed here, at the last moment, and kept nowhere. The SDK and the HTTP client are loaded by the first that needs them. */
export const openSession = async (input: OpenInput, deps: OpenDeps): Promise<Result<Session, Fault>> => {
  const { launch, row } = input;
  const fill = placeholderFiller(launch.placeholders, { reveal: input.reveal, remember: input.remember, hostEnv: process.env });
  if (launch.kind === 'http') {
    const headers = revealValues(launch.headers, input.reveal, 'header', fill);
    if (!headers.ok) return err(headers.error);
    const url = filledUrl(launch.url, fill);
    if (!url.ok) return err(url.error);
    const { openHttp } = await import('./open-http.ts');
    return openHttp({ launch, url: url.value, guard: configuredOrigin(url.value, input.agreedKinds(url.value)), headers: headers.value, authorization: hasOwnKey(launch) ? null : input.authorizationFor(url.value), mode: input.mode, events: input.events, signal: input.signal }, deps);
  }
  const own = revealValues(launch.env, input.reveal, 'env', fill);
  if (!own.ok) return err(own.error);
  const args = revealArguments(launch.args, input.reveal, fill);
  if (!args.ok) return err(args.error);
  const command = row.spec.kind === 'command' ? fromHome(row.spec.command) : launch.command;
  const { openStdio } = await import('./open-stdio.ts');
  return openStdio({ launch, command, ownEnv: own.value, onOwnNode: runsOnOwnNode(row.spec), args: args.value, mode: input.mode, events: input.events, signal: input.signal, lastLines: input.lastLines }, deps, row.home === 'own');
};
