import type { Fault } from '../../../shared/fault.ts';
import type { Result } from '../../../shared/result.ts';
import { bridge } from '../../bridge/bridge.ts';

/** Gives a server's environment, header or placeholder secret a new value; the old one cannot be read, only replaced. */
export const replaceSecret = (serverId: string, kind: string, name: string, value: string): Promise<Result<unknown, Fault>> => {
  const change = { [name]: { secret: value } };
  return bridge.request('servers:update', { serverId, ...(kind === 'placeholder' ? { placeholders: change } : kind === 'header' ? { headers: change } : { env: change }) });
};
