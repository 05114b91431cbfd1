import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Raised at connect time, so that a name that leads to another address the second time is judged by the address that is used. */
export class AddressNotPublic extends Error {
  readonly code = 'ADDRESS_NOT_PUBLIC';
  readonly address: string;
  constructor(address: string) {
    super(`${address} is not a public address`);
    this.address = address;
  }
}

/** Only ordinary unicast addresses of the internet: no loopback, private, link-local, shared, mapped or translated ranges. */
export const isPublicAddress = (address: string): boolean => ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast';

/** The host of a URL as an address, without brackets; null where it is a name. */
export const literalAddress = (hostname: string): string | null => {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? null : bare;
};

/** A resolver that gives public addresses (or those that `may` allows) only; one that is not makes the whole name refused. */
export const publicLookup = (resolve: LookupFunction = systemLookup as LookupFunction, may: (address: string) => boolean = isPublicAddress): LookupFunction => (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, []);
    const addresses: LookupAddress[] = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
    const bad = addresses.find(({ address }) => !may(address));
    if (bad || addresses.length === 0) return callback(new AddressNotPublic(bad?.address ?? hostname), []);
    if (options.all) return callback(null, addresses);
    callback(null, addresses[0]!.address, addresses[0]!.family);
  });
};

/** Rejects where a name leads to an address that is not public (or that `may` does not allow), or nowhere. */
export const resolvesToPublic = (hostname: string, resolve?: LookupFunction, may?: (address: string) => boolean): Promise<void> =>
  new Promise((done, fail) => publicLookup(resolve, may)(hostname.replace(/^\[|\]$/g, ''), {}, (error) => (error ? fail(error) : done())));
