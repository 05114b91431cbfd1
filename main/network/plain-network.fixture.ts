import { isIP, type LookupFunction } from 'node:net';
import { ok, type Result } from '../../shared/result.ts';
import type { RegistryOptions } from '../market/npm-config.ts';
import type { RegistryWay } from '../market/registry-source.ts';
import { Outbound } from './outbound.ts';
import { DIRECT } from './proxy-route.ts';

/** The way out of a Gantry without proxy, certificate and mirror, for parts that are tested by themselves. */
export const plainOutbound = (resolve?: LookupFunction): Outbound => new Outbound({ config: () => Promise.resolve(DIRECT), resolve });

/** A resolver by which every name leads to these addresses, all of them at once. */
export const namesLeadTo = (...addresses: string[]): LookupFunction => namesLead({ '*': addresses });

/** A resolver with a table of names; `*` is any other, a name that is not in it is not found. What was asked is written down. */
export const namesLead =
  (table: Readonly<Record<string, readonly string[]>>, asked: string[] = []): LookupFunction =>
  (host, options, callback) => {
    asked.push(host);
    const found = (table[host] ?? table['*'] ?? []).map((address) => ({ address, family: isIP(address) }));
    if (found.length === 0) callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }), []);
    else if (options.all) callback(null, found);
    else callback(null, found[0]!.address, found[0]!.family);
  };

export const plainWay = (registry: RegistryOptions) => (): Promise<Result<RegistryWay, never>> => Promise.resolve(ok({ registry, network: DIRECT }));

export const plainPoolNetwork = () => ({ outbound: plainOutbound(), appEnvironment: () => Promise.resolve({}), appNames: () => [] });
