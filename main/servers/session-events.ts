import type { Fault } from '../../shared/fault.ts';
import { LOG_LEVELS, type LogLevel } from '../../shared/log-level.ts';
import type { LateListeners } from './call-on-wire.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import type { ListKind } from './inbound.ts';
import { maskFault } from './mask-fault.ts';
import type { SessionEvents } from './open-session.ts';
import { ANOMALIES_FAULTY, type ServerDiagnostics } from './server-diagnostics.ts';
import type { ServerLog } from './server-log.ts';

/** Characters of a junk line that are kept, after masking. */
export const JUNK_LINE_CAP = 2048;

interface Parts {
  readonly log: ServerLog;
  readonly diagnostics: ServerDiagnostics;
  readonly deps: ConnectionDeps;
  readonly late: LateListeners;
  readonly latestLine: (text: string) => void;
  readonly listChanged: (kind: ListKind) => void;
  readonly token: (token: string) => void;
  readonly closed: (why: Fault) => void;
  /** from which severity on its log is wanted; null: what it sends by itself */
  readonly level: () => LogLevel | null;
}

const severity = (level: string): number => (LOG_LEVELS as readonly string[]).indexOf(level.toLowerCase());

/** A server sends less than it was told to at times, and more. What has no level that is known is kept. */
const isWanted = (wanted: LogLevel | null, level: string): boolean => wanted === null || severity(level) < 0 || severity(level) >= severity(wanted);

/** Where what a session says is kept: the log ring, the diagnostics, the table of processes. stderr is never an error by itself (C009). Known secret values are masked first: programs print what they were started with. */
export const sessionEvents = (parts: Parts): SessionEvents => ({
  mask: parts.deps.mask,
  asking: { ...parts.deps.asking, log: (text) => parts.log.add('host', parts.deps.mask(text)) },
  stderrLine: (line) => {
    const text = parts.deps.mask(line);
    parts.log.add('stderr', text);
    parts.latestLine(text);
  },
  stderrPart: (line) => parts.latestLine(parts.deps.mask(line)),
  junkLine: (line) => {
    const text = parts.deps.mask(line).slice(0, JUNK_LINE_CAP);
    parts.diagnostics.junk(text);
    parts.log.add('stdout-junk', text);
  },
  logged: (level, text) => {
    if (isWanted(parts.level(), level)) parts.log.add('log', parts.deps.mask(text));
  },
  anomaly: (said) => {
    const what = parts.deps.mask(said);
    const count = parts.diagnostics.anomaly(parts.deps.clock.now(), what);
    if (count === 1) parts.log.add('host', `The server broke the protocol: ${what}`);
    else if (count === ANOMALIES_FAULTY) parts.log.add('host', `The server broke the protocol ${count} times.`);
  },
  late: (frozen, result, incoming) => {
    const listener = parts.late.get(frozen);
    if (listener) listener(result, incoming);
    else incoming.held?.release();
  },
  listChanged: parts.listChanged,
  resourceUpdated: (uri) => parts.deps.resourceUpdated(uri),
  spawned: (pid, token) => {
    parts.token(token);
    parts.deps.recordProcess(pid, token);
  },
  groupGone: (token) => parts.deps.forgetProcess(token),
  closed: (why) => parts.closed(maskFault(why, parts.deps.mask)),
});
