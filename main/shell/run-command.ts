import { setTimeout as sleep } from 'node:timers/promises';
import { withoutNpmFolders } from './user-path.mjs';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, type Result } from '../../shared/result.ts';
import { askHost } from './command-channel/ask-host.ts';
import { commandCaller } from './command-channel/listen.ts';
import type { CommandRequest } from './command-channel/messages.ts';
import type { StartHost } from './host-port.ts';

/** Another command's own short-lived host may hold the folder for a moment; a host that is starting has no channel yet. */
const WAIT_FOR_FOLDER_MS = 60_000;
const LOOK_AGAIN_MS = 100;

/** Read only where a host is needed: it brings every part of Gantry with it, and most commands only ask one that runs. */
const loadHost = async (): Promise<StartHost> => {
  process.env['PATH'] = withoutNpmFolders(process.env['PATH'] ?? '');
  return (await import('../start-host.ts')).startHost;
};

const notRunning = (): Result<never, Fault> =>
  err(fault('host_not_running', 'No Gantry runs on this data folder.', { remedy: 'Start it with npm start.' }));

/**
 * Asks the running host; without one, `rpc` gets a host of its own in this process, closed again before it returns:
 * a server that it connected ends with it.
 */
export const runCommand = async (command: { readonly dataDir: string; readonly approvals: 'window' | 'script'; readonly request: CommandRequest }): Promise<Result<unknown, Fault>> => {
  const { dataDir, request } = command;
  const until = performance.now() + WAIT_FOR_FOLDER_MS;
  for (;;) {
    const asked = await askHost(dataDir, request);
    if (asked) return asked;
    if (request.kind !== 'rpc') return notRunning();
    const created = await (await loadHost())({ dataDir, shell: 'command', approvals: command.approvals });
    if (created.ok) {
      await created.value.compose();
      const result = await created.value.handle(request.name, request.input, commandCaller(command.approvals));
      await created.value.close();
      return result;
    }
    if (created.error.code !== 'instance_running' || performance.now() > until) return created;
    await sleep(LOOK_AGAIN_MS);
  }
};
