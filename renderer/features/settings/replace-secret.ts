import type { Fault } from '../../../shared/fault.ts';
import type { Result } from '../../../shared/result.ts';
import { bridge } from '../../bridge/bridge.ts';

/** Gives a server's environment or header secret a new value; the old one cannot be read, only replaced. */
export const replaceSecret = async (serverId: string, kind: string, name: string, value: string): Promise<Result<unknown, Fault>> =>
  kind === 'header'
    ? bridge.request('servers:update', { serverId, headers: { [name]: { secret: value } } })
    : bridge.request('servers:update', { serverId, env: { [name]: { secret: value } } });
