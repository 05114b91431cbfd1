import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Caller } from '../../requests/handlers.ts';
import type { HostOptions, HostPort } from '../host-port.ts';
import { newToken, sameSecret } from '../same-secret.ts';
import { duplicateName } from '../duplicate-name.ts';
import { newChannelPath } from './channel-path.ts';
import { removeHostFile, writeHostFile } from './host-file.ts';
import { CommandMessageSchema, MAX_LINE_BYTES, type CommandMessage } from './messages.ts';
import { readLine } from './read-line.ts';

export interface CommandChannelOptions {
  readonly host: HostPort;
  readonly dataDir: string;
  readonly shell: 'electron' | 'loopback';
  readonly approvals: HostOptions['approvals'];
  readonly port?: number;
  /** Shows a window of the running host, at a link where one is given. The window's token goes to the window, never to the command. */
  readonly open: (link?: string) => Promise<Result<unknown, Fault>>;
  readonly stop: () => void;
}

export interface CommandChannel {
  close(): Promise<void>;
}

/** The command decides approvals only on a host that was started for it; evidence names it a script. */
export const commandCaller = (approvals: HostOptions['approvals']): Caller =>
  approvals === 'script' ? { kind: 'script', canDecide: true } : { kind: 'command', canDecide: false };

const parseMessage = (line: string): CommandMessage | null => {
  try {
    const parsed = CommandMessageSchema.safeParse(JSON.parse(line));
    return parsed.success && duplicateName(line) === null ? parsed.data : null;
  } catch {
    return null;
  }
};

/** Opens the command's door to a running host and writes host.json. */
export const listenForCommands = async (options: CommandChannelOptions): Promise<CommandChannel> => {
  const token = newToken();
  const channel = newChannelPath(options.dataDir);
  const open = new Set<Socket>();

  const answer = async (message: CommandMessage | null): Promise<Result<unknown, Fault>> => {
    if (!message) return err(fault('invalid_request', 'The command sent a line that is not a request.'));
    if (!sameSecret(message.token, token)) return err(fault('forbidden', 'The command does not hold the token of this host.', { remedy: 'Use the same data folder as the running Gantry.' }));
    if (message.kind === 'open') return options.open(message.link);
    if (message.kind === 'stop') {
      setImmediate(options.stop);
      return ok({});
    }
    return options.host.handle(message.name, message.input, commandCaller(options.approvals));
  };

  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
    void readLine(socket, MAX_LINE_BYTES).then(async (line) => {
      const result = await answer(line === null ? null : parseMessage(line));
      socket.end(`${JSON.stringify(result)}\n`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(channel.path, resolve);
  });
  if (process.platform !== 'win32') chmodSync(channel.path, 0o600);
  writeHostFile(options.dataDir, {
    pid: process.pid,
    startedAt: Date.now(),
    shell: options.shell,
    approvals: options.approvals,
    channel: channel.path,
    token,
    ...(options.port === undefined ? {} : { port: options.port }),
  });
  return {
    async close() {
      removeHostFile(options.dataDir, token);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroySoon();
      await closed;
      channel.remove();
    },
  };
};
