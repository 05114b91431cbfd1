import type { Client, RequestOptions, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { MirroredArgument } from './argument-headers.ts';
import type { RequestAuthorization } from './auth/request-authorization.ts';
import type { HttpTransport } from './http-transport.ts';
import type { Inbound } from './inbound.ts';
import type { Ledger } from './ledger.ts';
import type { SessionQuestions } from './questions/session-questions.ts';
import type { StdioTransport } from './stdio-transport.ts';
import type { LogLevel } from '../../shared/log-level.ts';
import type { TaskSupport } from './task-call.ts';
import { theResultItself } from './unjudged-result.ts';
import type { WireProgress } from './wire-outcome.ts';

export type ServerTransport = StdioTransport | HttpTransport;
export type ProgressHandlers = Map<string | number, (progress: WireProgress) => void>;

/** One live connection and what was agreed on it. */
export interface Session {
  readonly client: Client;
  /** the SDK is loaded with the first connection; what meets it without opening one has it from here */
  readonly sdk: { readonly SdkError: typeof SdkError; readonly SdkErrorCode: typeof SdkErrorCode };
  readonly transport: ServerTransport;
  readonly ledger: Ledger;
  readonly inbound: Inbound;
  readonly progress: ProgressHandlers;
  /** what its server may ask of us */
  readonly questions: SessionQuestions;
  readonly kind: 'stdio' | 'streamable-http' | 'sse';
  readonly era: 'legacy' | 'modern';
  readonly protocolVersion: string;
  readonly serverInfo: { readonly name: string; readonly version: string; readonly title?: string };
  /** as it named them; untrusted and unjudged */
  readonly icons: unknown;
  readonly instructions: string | undefined;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** by tool, as last read: the arguments that are also sent as headers */
  readonly mirrored: Map<string, readonly MirroredArgument[]>;
  /** by tool, as last read: those that take part in tasks (older era) */
  readonly taskTools: Map<string, TaskSupport>;
  /** what the person wants to hear of the server's log; null: what it sends by itself */
  readonly logging: { level: LogLevel | null };
  readonly connectMs: number;
  readonly pid: number | null;
  /** of the sign-in that speaks on it, if any does */
  readonly authorization: RequestAuthorization | null;
}

/** A standard schema that judges nothing: results are judged by Gantry's own stages, and one odd entry must not lose a whole list. */
const AS_IT_CAME = { '~standard': { version: 1, vendor: 'gantry', validate: (value: unknown) => ({ value }) } } as const;

/** A request whose result comes back unjudged. Rejects with the SDK's errors. */
export const rawRequest = async (client: Client, method: string, params: Record<string, unknown> | undefined, options: RequestOptions): Promise<unknown> =>
  theResultItself(await client.request({ method, ...(params === undefined ? {} : { params }) }, AS_IT_CAME as never, options));
