import { existsSync, mkdirSync, statSync } from 'node:fs';
import type { Launch } from '../../shared/server.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { childEnvironment } from './child-environment.ts';
import { connectFault, spawnFault } from './connect-fault.ts';
import { shakeHands, type HandshakeFailure, type Mode } from './handshake.ts';
import type { OpenDeps, SessionEvents } from './open-session.ts';
import { notAProgram } from './program-kind.ts';
import { findCommand } from './search-path.ts';
import type { Session } from './session.ts';
import { unquotableArgument } from './spawn-plan.ts';
import { StartDeadline } from './start-deadline.ts';
import { StdioTransport } from './stdio-transport.ts';

type StdioLaunch = Extract<Launch, { kind: 'stdio' }>;

export interface OpenStdioInput {
  readonly launch: StdioLaunch;
  /** as configured: a name is looked up on PATH, also on the login shell's */
  readonly command: string;
  readonly ownEnv: Readonly<Record<string, string>>;
  /** an app of npm or of ours, run by the Node that Gantry brings */
  readonly onOwnNode: boolean;
  /** those of the launch, secrets revealed */
  readonly args: readonly string[];
  readonly mode: 'legacy' | 'auto';
  readonly events: SessionEvents;
  readonly signal: AbortSignal;
  /** the last stderr lines, for the failure */
  readonly lastLines: () => string[];
}

/** How a start ended that did not become a session. `probeEnded`: the server ended on the newer era's question. */
type TryFailure = { readonly fault: Fault; readonly probeEnded: boolean; readonly discovered: unknown };

/** The absolute file, after asking the login shell where a bare PATH does not know the command (C001). */
const locate = async (input: OpenStdioInput, deps: OpenDeps): Promise<Result<{ file: string; path: string }, Fault>> => {
  const search = (path: string) => findCommand({ command: input.command, path, cwd: input.launch.cwd, ...(process.env['PATHEXT'] === undefined ? {} : { pathext: process.env['PATHEXT'] }) });
  const ownPath = input.ownEnv['PATH'];
  if (ownPath !== undefined) {
    const found = search(ownPath);
    return found.ok ? ok({ file: found.value, path: ownPath }) : found;
  }
  if (deps.path.looksBare) await deps.path.withLoginShell();
  const first = search(deps.path.current);
  if (first.ok) return ok({ file: first.value, path: deps.path.current });
  const path = await deps.path.withLoginShell();
  const second = search(path);
  return second.ok ? ok({ file: second.value, path }) : second;
};

const readyFolder = (launch: StdioLaunch, ownHome: boolean): Fault | null => {
  if (ownHome) mkdirSync(launch.home, { recursive: true, mode: 0o700 });
  if (!existsSync(launch.cwd)) return fault('command_not_found', `The working folder ${launch.cwd} does not exist.`, { field: 'cwd', remedy: 'Create it, or set another.', details: { searchedPath: [launch.cwd] } });
  return statSync(launch.cwd).isDirectory() ? null : fault('command_not_found', `The working folder ${launch.cwd} is a file.`, { field: 'cwd', remedy: 'Set a folder.', details: { searchedPath: [launch.cwd] } });
};

/** Starts a server process and shakes hands with it. Whatever fails, its process group is gone when this returns. */
export const openStdio = async (input: OpenStdioInput, deps: OpenDeps, ownHome: boolean): Promise<Result<Session, Fault>> => {
  const folder = readyFolder(input.launch, ownHome);
  if (folder !== null) return err(folder);
  const located = await locate(input, deps);
  if (!located.ok) return located;
  const { file, path } = located.value;
  const notProgram = notAProgram(file);
  if (notProgram !== null) return err(notProgram);
  const bad = unquotableArgument(file, input.args);
  if (bad >= 0) return err(fault('invalid_request', `Argument ${bad + 1} holds a character that cannot be passed to this program.`, { field: `args.${bad}` }));
  if (input.signal.aborted) return err(fault('cancelled', 'The start was stopped.'));

  const once = (mode: Mode) => tryOnce(mode, file, path, input, deps);
  const first = await once(input.mode);
  if (first.ok || input.signal.aborted || input.mode === 'legacy') return first.ok ? first : err(first.error.fault);
  // the newer era's answer came after its time: it is known now
  if (first.error.discovered !== undefined) {
    const modern = await once({ discovered: first.error.discovered });
    return modern.ok ? modern : err(modern.error.fault);
  }
  if (!first.error.probeEnded) return err(first.error.fault);
  deps.probeFailed();
  const second = await once('legacy');
  return second.ok ? second : err(second.error.fault);
};

const tryOnce = async (mode: Mode, file: string, path: string, input: OpenStdioInput, deps: OpenDeps): Promise<Result<Session, TryFailure>> => {
  const { env, token } = childEnvironment(input.launch, input.ownEnv, path, process.env, await deps.networkEnv(input.onOwnNode));
  let transport: StdioTransport | null = null;
  let broken: Fault | null = null;
  let exit: { code: number | null; signal: NodeJS.Signals | null } | null = null;
  let gaveUp: 'deadline' | 'aborted' | null = null;
  let opened = false;
  const giveUp = (why: 'deadline' | 'aborted'): void => {
    gaveUp ??= why;
    void transport?.stop();
  };
  const deadline = new StartDeadline(() => giveUp('deadline'), deps.startLimitMs, deps.startHardLimitMs);
  const onAbort = (): void => giveUp('aborted');
  input.signal.addEventListener('abort', onAbort, { once: true });
  const result = await shakeHands({
    mode,
    probeTimeoutMs: deps.probeTimeoutMs,
    requestTimeoutMs: deps.startHardLimitMs + 60_000,
    version: deps.version,
    events: input.events,
    onClosed: () => opened && input.events.closed(broken ?? exitFault(exit, input.lastLines(), true)),
    onTransport: () => {},
    transport: (ledger) =>
      (transport = new StdioTransport({ file, args: input.args, cwd: input.launch.cwd, env, secrets: input.events.mask, frames: deps.frames, ...(deps.ladder === undefined ? {} : { ladder: deps.ladder }) }, ledger, {
        stderrLine: (text) => {
          deadline.spoke();
          input.events.stderrLine(text);
        },
        stderrPart: (text) => {
          deadline.spoke();
          input.events.stderrPart(text);
        },
        junkLine: (text) => {
          deadline.spoke();
          input.events.junkLine(text);
        },
        broken: (why) => {
          broken = why;
        },
        spawned: (pid) => input.events.spawned(pid, token),
        exited: (code, signal) => {
          exit = { code, signal };
        },
      })),
  }).finally(() => {
    deadline.clear();
    input.signal.removeEventListener('abort', onAbort);
  });
  if ('session' in result && gaveUp === null) {
    opened = true;
    if (!transport!.hasExited) return ok(result.session);
  }
  const gone = await transport!.stop();
  if (gone) input.events.groupGone(token);
  const failed: HandshakeFailure = 'session' in result ? { error: new Error('The server ended.'), discovered: undefined, heard: true, introduced: false } : result;
  return err(judge(failed, { transport: transport!, file, cwd: input.launch.cwd, broken, exit, gaveUp, lines: input.lastLines() }));
};

interface TryFacts {
  readonly transport: StdioTransport;
  readonly file: string;
  readonly cwd: string;
  readonly broken: Fault | null;
  readonly exit: { readonly code: number | null; readonly signal: NodeJS.Signals | null } | null;
  readonly gaveUp: 'deadline' | 'aborted' | null;
  readonly lines: string[];
}

const judge = (failed: HandshakeFailure, t: TryFacts): TryFailure => {
  const rest = { probeEnded: false, discovered: failed.discovered };
  if (t.transport.pid === null) return { ...rest, fault: spawnFault(failed.error, t.file, t.cwd), discovered: undefined };
  if (t.gaveUp === 'aborted') return { ...rest, fault: fault('cancelled', 'The start was stopped.'), discovered: undefined };
  if (t.broken !== null) return { ...rest, fault: t.broken, discovered: undefined };
  if (t.gaveUp !== null) {
    return { ...rest, fault: fault('start_timeout', `The server did not answer the handshake in time${t.lines.length === 0 ? ' and wrote nothing to its log' : ''}.`, { remedy: 'Look at its log; start the same command once in a terminal to see what it waits for.', details: { stderr: t.lines } }) };
  }
  const endedByItself = t.exit !== null && /closed/i.test(failed.error instanceof Error ? failed.error.message : '');
  // without a word on standard output it may have been the newer era's question that ended it, also when the older one was already waiting behind it
  if (endedByItself) return { ...rest, probeEnded: !failed.heard, fault: exitFault(t.exit, t.lines, false) };
  return { ...rest, fault: connectFault(failed.error, null) };
};

/** `exited` with code and signal; the last stderr lines, which are the server's words, in its details alone (RC12). */
export const exitFault = (exit: TryFacts['exit'], lines: readonly string[], wasReady: boolean): Fault => {
  const how = exit === null ? '' : exit.signal !== null ? ` (signal ${exit.signal})` : ` (exit code ${exit.code})`;
  return fault('exited', `The server ended by itself${how}${wasReady ? '' : ' before it answered'}.`, {
    remedy: lines.length === 0 ? 'Start the same command once in a terminal to see why.' : 'Its last lines usually name what is missing.',
    details: { exitCode: exit?.code ?? null, signal: exit?.signal ?? null, stderr: lines },
  });
};
