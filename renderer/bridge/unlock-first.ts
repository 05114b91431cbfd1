import type { Bridge } from '../../shared/contract/bridge.ts';
import type { RequestName } from '../../shared/contract/contract.ts';
import type { Result } from '../../shared/result.ts';
import type { Fault } from '../../shared/fault.ts';

/** Acts of a person that keep or use a secret. The host has done nothing where it answers that the store is not open, so they can be sent again. */
const WAITS_FOR_SECRETS: ReadonlySet<RequestName> = new Set<RequestName>([
  'models:set', 'models:test', 'embeddings:set', 'embeddings:test', 'agent:run', 'network:setPassword', 'network:setToken', 'network:test',
  'servers:add', 'servers:connect', 'servers:sign-in', 'servers:sign-in-client', 'import:apply', 'backup:create',
]);

let ask: () => Promise<boolean> = () => Promise.resolve(false);

/** Who asks for the passphrase: true once the store is open, false when the person turns back. */
export const askWhenLocked = (asking: () => Promise<boolean>): void => {
  ask = asking;
};

/** A door that asks for the passphrase where an act needs it, and then sends the act again: what was typed for it is not lost. */
export const unlockFirst = (door: Bridge, opened: () => Promise<boolean> = () => ask()): Bridge => ({
  shell: door.shell,
  request: (async (name: RequestName, input: never): Promise<Result<unknown, Fault>> => {
    const answer: Result<unknown, Fault> = await door.request(name, input);
    if (answer.ok || answer.error.code !== 'secret_store_locked' || !WAITS_FOR_SECRETS.has(name)) return answer;
    return (await opened()) ? door.request(name, input) : answer;
  }) as Bridge['request'],
  on: (name, listener) => door.on(name, listener),
  onConnection: (listener) => door.onConnection(listener),
});
