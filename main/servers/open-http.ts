import type { Launch } from '../../shared/server.ts';
import { authFaultOf } from './auth/auth-fault.ts';
import type { AddressGuard } from '../network/address-guard.ts';
import type { RequestAuthorization } from './auth/request-authorization.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { connectFault, httpStatusOf, networkCauseOf } from './connect-fault.ts';
import { shakeHands, type Mode } from './handshake.ts';
import { HttpTransport } from './http-transport.ts';
import type { ListKind } from './inbound.ts';
import type { OpenDeps, SessionEvents } from './open-session.ts';
import type { ServerTransport, Session } from './session.ts';
import { announcedKinds } from './subscribe.ts';

export interface OpenHttpInput {
  readonly launch: Extract<Launch, { kind: 'http' }>;
  /** that of the launch, its placeholders filled in */
  readonly url: string;
  readonly guard: AddressGuard;
  /** secrets revealed; they leave only to the origin of the URL */
  readonly headers: Readonly<Record<string, string>>;
  /** of the sign-in at this address; null where a process or a key of the person's own speaks */
  readonly authorization: RequestAuthorization | null;
  readonly mode: 'legacy' | 'auto';
  readonly events: SessionEvents;
  readonly signal: AbortSignal;
}

/** Streamable HTTP in both eras; the old SSE transport where the POST is answered 400, 404 or 405 as the specification says. */
export const openHttp = async (input: OpenHttpInput, deps: OpenDeps): Promise<Result<Session, Fault>> => {
  const asked: AskedPause = { ms: null };
  const tryOnce = (kind: 'streamable-http' | 'sse', mode: Mode): Promise<Result<Session, FailedTry>> => tryTransport(kind, mode, input, deps, asked);
  const fail = (error: unknown): Result<Session, Fault> => failure(error, input, asked.ms);
  const first = await tryOnce('streamable-http', input.mode);
  if (first.ok) return first;
  let { error } = first.error;
  if (isFinal(error) || input.signal.aborted) return fail(error);
  // what answered an introduction is not introduced to once more (C021)
  if (input.mode === 'auto' && !first.error.introduced && !wantsOldTransport(error)) {
    const older = await tryOnce('streamable-http', 'legacy');
    if (older.ok) return older;
    error = older.error.error;
  }
  if (!wantsOldTransport(error) || input.signal.aborted) return fail(error);
  const sse = await tryOnce('sse', 'legacy');
  if (sse.ok) return sse;
  // an endpoint that named another origin is told so; else the first answer says more than the fall-back's
  const last = sse.error.error;
  return fail(/origin does not match/i.test(String(last)) || httpStatusOf(last) === 401 ? last : error);
};

interface FailedTry {
  readonly error: unknown;
  readonly introduced: boolean;
}

const wantsOldTransport = (error: unknown): boolean => [400, 404, 405].includes(httpStatusOf(error) ?? 0);
const isFinal = (error: unknown): boolean => authFaultOf(error) !== null || [401, 403, 429, 503].includes(httpStatusOf(error) ?? 0) || networkCauseOf(error)?.reached === false;

/** What the endpoint asked for while it was tried; filled in on the way. */
interface AskedPause {
  ms: number | null;
}

const failure = (error: unknown, input: OpenHttpInput, askedMs: number | null): Result<Session, Fault> => {
  if (input.signal.aborted) return err(fault('cancelled', 'The start was stopped.'));
  const authorization = authFaultOf(error);
  if (authorization !== null) return err(authorization);
  if (/origin does not match/i.test(String(error))) return err(fault('protocol_error', 'The endpoint wants messages sent to another origin; that is refused.', { remedy: 'Ask who runs it, or give the other address yourself.' }));
  return err(connectFault(error, input.launch.url, askedMs));
};

const tryTransport = async (kind: 'streamable-http' | 'sse', mode: Mode, input: OpenHttpInput, deps: OpenDeps, asked: AskedPause): Promise<Result<Session, FailedTry>> => {
  let transport: ServerTransport | null = null;
  let opened = false;
  let broken: Fault | null = null;
  let announced: readonly ListKind[] = [];
  const stop = (): void => void transport?.stop();
  const timer = setTimeout(stop, deps.httpLimitMs);
  input.signal.addEventListener('abort', stop, { once: true });
  let result;
  try {
    result = await shakeHands({
      mode,
      probeTimeoutMs: deps.httpProbeTimeoutMs,
      requestTimeoutMs: deps.httpLimitMs,
      version: deps.version,
      events: input.events,
      onClosed: () => opened && input.events.closed(broken ?? fault('connection_failed', 'The connection to the endpoint ended.')),
      onTransport: (itsTransport) => {
        transport = itsTransport;
      },
      transport: (ledger) =>
        new HttpTransport(
          {
            kind,
            url: input.url,
            guard: input.guard,
            headers: input.headers,
            authorization: input.authorization,
            outbound: deps.outbound,
            frames: deps.frames,
            ...(deps.httpLimits === undefined ? {} : { limits: deps.httpLimits }),
            onBroken: (message) => {
              broken = fault('connection_failed', `The event stream of the endpoint broke: ${message}`);
              stop();
            },
            onPauseCut: (askedMs, waitMs) => input.events.asking.log(`The endpoint asks to wait ${Math.ceil(askedMs / 1000)} s before its event stream is opened again; Gantry waits ${waitMs / 1000} s.`),
            onStreamAgain: () => {
              for (const list of announced) input.events.listChanged(list);
            },
          },
          ledger,
        ),
    });
  } catch (error) {
    result = { error };
  } finally {
    clearTimeout(timer);
    input.signal.removeEventListener('abort', stop);
  }
  if ('session' in result && !input.signal.aborted) {
    opened = true;
    announced = announcedKinds(result.session.capabilities);
    return ok(result.session);
  }
  const tried = transport as ServerTransport | null;
  if (tried !== null && 'askedPauseMs' in tried) asked.ms = tried.askedPauseMs;
  await tried?.stop();
  return err({ error: 'error' in result ? result.error : new Error('stopped'), introduced: 'introduced' in result && result.introduced === true });
};
