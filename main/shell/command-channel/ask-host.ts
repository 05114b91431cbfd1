import { connect } from 'node:net';
import type { Fault } from '../../../shared/fault.ts';
import { fault } from '../../../shared/fault.ts';
import { err, type Result } from '../../../shared/result.ts';
import { readHostFile } from './host-file.ts';
import { CommandAnswerSchema, type CommandRequest } from './messages.ts';
import { readLine } from './read-line.ts';

/** Answers are whole results, so they may be large; a host that is this user's own is trusted with memory. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/**
 * Sends one request to the host that holds this data folder. Null: none is running (no host.json, or one that a crash left behind:
 * nobody listens at its channel). `host_not_running` where the host went away between question and answer.
 */
export const askHost = async (dataDir: string, request: CommandRequest): Promise<Result<unknown, Fault> | null> => {
  const file = readHostFile(dataDir);
  if (!file) return null;
  const socket = connect(file.channel);
  const connected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  if (!connected) return null;
  const answer = readLine(socket, MAX_ANSWER_BYTES);
  socket.write(`${JSON.stringify({ ...request, token: file.token })}\n`);
  const line = await answer;
  socket.destroy();
  const parsed = line === null ? undefined : CommandAnswerSchema.safeParse(JSON.parse(line));
  if (!parsed?.success) {
    return err(fault('host_not_running', 'Gantry ended before it answered.', { remedy: 'Look with runs:list whether the action took place before doing it again.' }));
  }
  return parsed.data as Result<unknown, Fault>;
};
