import type { Client } from '@modelcontextprotocol/client';
import { Inbound, type InboundEvents } from './inbound.ts';
import { Ledger, type LedgerEvents } from './ledger.ts';
import { newClient, sdk } from './new-client.ts';
import type { Asking } from './questions/asking.ts';
import { SessionQuestions } from './questions/session-questions.ts';
import type { ProgressHandlers, ServerTransport, Session } from './session.ts';
import { subscribe } from './subscribe.ts';

export type Mode = 'legacy' | 'auto' | { readonly discovered: unknown };

export interface HandshakeInput {
  readonly mode: Mode;
  readonly probeTimeoutMs: number;
  /** for the SDK's own timers; the deadline of a start is the caller's, who stops the transport */
  readonly requestTimeoutMs: number;
  readonly version: string;
  readonly events: Omit<InboundEvents, 'progress'> & LedgerEvents & { readonly asking: Asking };
  readonly transport: (ledger: Ledger) => ServerTransport;
  readonly onClosed: () => void;
  /** the transport exists from here on and has to be stopped by whoever gives up */
  readonly onTransport: (transport: ServerTransport, inbound: Inbound) => void;
}

/** A failed handshake, with what is needed to choose the next try. */
export interface HandshakeFailure {
  readonly error: unknown;
  /** the newer era's introduction came too late for the probe */
  readonly discovered: unknown;
  readonly heard: boolean;
  /** the older era's introduction was sent on this connection */
  readonly introduced: boolean;
}

const connectOptions = (mode: Mode, timeout: number) => ({ timeout, ...(typeof mode === 'object' ? { prior: { kind: 'modern' as const, discover: mode.discovered as never } } : {}) });

const describe = (client: Client, kind: Session['kind']) => {
  const info = client.getServerVersion();
  return {
    kind,
    era: client.getProtocolEra() === 'modern' ? ('modern' as const) : ('legacy' as const),
    protocolVersion: client.getNegotiatedProtocolVersion() ?? 'unknown',
    serverInfo: { name: (info?.name ?? 'unnamed').toWellFormed(), version: (info?.version ?? 'unknown').toWellFormed(), ...(info?.title === undefined ? {} : { title: info.title.toWellFormed() }) },
    icons: (info as { icons?: unknown } | undefined)?.icons,
    instructions: client.getInstructions()?.toWellFormed(),
    capabilities: (client.getServerCapabilities() ?? {}) as Record<string, unknown>,
  };
};

/** One try on one fresh transport. The caller stops the transport of a failed try. */
export const shakeHands = async (input: HandshakeInput): Promise<{ readonly session: Session } | HandshakeFailure> => {
  const progress: ProgressHandlers = new Map();
  const ledger = new Ledger(input.events);
  const transport = input.transport(ledger);
  const reply = (message: Readonly<Record<string, unknown>>): void => void transport.sendRaw(message).catch(() => {});
  const questions = new SessionQuestions(input.events.asking, reply);
  const inbound = new Inbound({ ledger, questions, events: { ...input.events, progress: (token, report) => progress.get(token)?.(report) }, reply });
  transport.attach(inbound);
  input.onTransport(transport, inbound);
  const client = newClient(input.mode === 'legacy' ? 'legacy' : 'auto', input.probeTimeoutMs, input.version, questions.offered);
  client.onerror = () => {};
  client.onclose = input.onClosed;
  const startedAt = performance.now();
  try {
    await client.connect(transport, connectOptions(input.mode, input.requestTimeoutMs));
  } catch (error) {
    return { error, discovered: inbound.discovered, heard: inbound.heard, introduced: inbound.introduced };
  }
  const kind = 'kind' in transport ? transport.kind : 'stdio';
  const facts = describe(client, kind);
  inbound.era = facts.era;
  questions.era = facts.era;
  const session: Session = { client, sdk, transport, ledger, inbound, progress, questions, ...facts, mirrored: new Map(), taskTools: new Map(), logging: { level: null }, connectMs: Math.round(performance.now() - startedAt), pid: 'pid' in transport ? transport.pid : null, authorization: 'authorization' in transport ? transport.authorization : null };
  if (facts.era === 'modern') void subscribe(session, input.events);
  return { session };
};
