import { ok, type Result } from '../../shared/result.ts';
import type { RegistryOptions } from '../market/npm-config.ts';
import type { RegistryWay } from '../market/registry-source.ts';
import { Outbound } from './outbound.ts';
import { DIRECT } from './proxy-route.ts';

/** The way out of a Gantry without proxy, certificate and mirror, for parts that are tested by themselves. */
export const plainOutbound = (): Outbound => new Outbound({ config: () => Promise.resolve(DIRECT) });

export const plainWay = (registry: RegistryOptions) => (): Promise<Result<RegistryWay, never>> => Promise.resolve(ok({ registry, network: DIRECT }));

export const plainPoolNetwork = () => ({ outbound: plainOutbound(), appEnvironment: () => Promise.resolve({}), appNames: () => [] });
