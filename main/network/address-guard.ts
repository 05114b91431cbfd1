import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { AGREEABLE_KINDS, type AgreeableKind } from '../../shared/address-agreement.ts';
import { addressKind, literalAddress, type AddressKind } from './address-kind.ts';
import { AddressRefused } from './address-refused.ts';
import { isLoopbackHost } from './proxy-route.ts';

/**
 * Whom one use of the network may reach. Judged when a connection is made, by the address that is dialled: a name that leads elsewhere the second time is judged the
 * second time (N06).
 */
export interface AddressGuard {
  /** whether a connection to this origin may go to an address of this kind */
  readonly may: (target: URL, kind: AddressKind) => boolean;
  /**
   * Where a proxy looks the name up for itself, this computer cannot know which address is dialled. `literal`: addresses that stand in the URL are judged, names are
   * the proxy's. `as_found`: what this computer finds for the name is judged too, where it finds anything. `must_be_found`: what it does not find is not asked for.
   */
  readonly behindProxy: 'literal' | 'as_found' | 'must_be_found';
  /** kinds that the person may agree to for this host; what else is refused nobody may agree to */
  readonly agreeable?: ReadonlySet<AddressKind>;
}

/** Names that only a network of one's own gives: RFC 6762 (.local), RFC 8375 (home.arpa), ICANN 2024 (.internal), and names of one label. */
const isOwnName = (host: string): boolean => {
  const bare = host.replace(/\.$/, '').toLowerCase();
  return !bare.includes('.') || /\.(?:local|internal|home\.arpa)$/.test(bare);
};

const OWN_NAME: ReadonlySet<AddressKind> = new Set(['loopback', 'private', 'link_local', 'translated', 'reserved']);

/** An address that stands in a URL is exactly what was typed; a name that says by itself that it is of this computer or network may lead there. */
const isAsTyped = (target: URL, kind: AddressKind): boolean => {
  if (literalAddress(target.hostname) !== null) return true;
  if (isLoopbackHost(target.hostname)) return kind === 'loopback';
  return isOwnName(target.hostname) && OWN_NAME.has(kind);
};

/** This computer by name is this computer, whatever a resolver says. */
const isMisledLoopback = (target: URL, kind: AddressKind): boolean => literalAddress(target.hostname) === null && isLoopbackHost(target.hostname) && kind !== 'loopback';

export const PUBLIC_ONLY: AddressGuard = { may: (target, kind) => kind === 'public' && !isMisledLoopback(target, kind), behindProxy: 'must_be_found' };

const AGREEABLE: ReadonlySet<AddressKind> = new Set<AgreeableKind>(AGREEABLE_KINDS);

/**
 * A server's own origin, as it was configured: public addresses, exactly the address that was typed, and what the person agreed to for its name. Its address may come
 * from a market entry or a link, so a name that leads into the person's own network is asked about. No other origin.
 */
export const configuredOrigin = (url: string, agreed: readonly AgreeableKind[] = []): AddressGuard => {
  const { origin } = new URL(url);
  return {
    may: (target, kind) => target.origin === origin && !isMisledLoopback(target, kind) && (kind === 'public' || isAsTyped(target, kind) || (agreed as readonly AddressKind[]).includes(kind)),
    behindProxy: 'literal',
    agreeable: AGREEABLE,
  };
};

const LAN: ReadonlySet<AddressKind> = new Set(['public', 'private', 'translated', 'reserved']);

/**
 * What the person set themselves for Gantry (registry, model, update feed, a test): its names may lead into a company's network, never to this computer, a link or a
 * cloud's metadata unless they say so. What such a place leads on to (`elsewhere`: files of a registry, a download) has to be public, or in the same company's network.
 */
export const setByPerson = (origins: readonly string[], elsewhere: 'never' | 'public' | 'lan' = 'never'): AddressGuard => {
  const known = new Set(origins.flatMap((one) => URL.parse(one)?.origin ?? []));
  const plain = [...known].some((origin) => origin.startsWith('http:'));
  // never from https to plain http
  const beyond = (target: URL, kind: AddressKind): boolean => elsewhere !== 'never' && (target.protocol === 'https:' || plain) && (kind === 'public' || kind === 'reserved' || (elsewhere === 'lan' && LAN.has(kind)));
  return {
    may: (target, kind) => !isMisledLoopback(target, kind) && (known.has(target.origin) ? LAN.has(kind) || isAsTyped(target, kind) : beyond(target, kind)),
    behindProxy: 'literal',
  };
};

/** Throws AddressRefused. */
const judge = (target: URL, address: string, guard: AddressGuard): void => {
  const kind = addressKind(address);
  if (!guard.may(target, kind)) throw new AddressRefused({ host: target.hostname, address, kind, agreeable: guard.agreeable?.has(kind) === true });
};

/** What a URL says by itself, before anything is looked up. Throws AddressRefused. */
export const judgeLiteral = (target: URL, guard: AddressGuard): void => {
  const literal = literalAddress(target.hostname);
  if (literal !== null) judge(target, literal, guard);
};

/**
 * A resolver that gives the addresses it found where each of them may be reached; one that may not makes the whole name refused. What it gives is what is dialled:
 * nothing is looked up again between.
 */
export const guardedLookup =
  (target: URL, guard: AddressGuard, resolve: LookupFunction = systemLookup as LookupFunction): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses: LookupAddress[] = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      try {
        for (const { address } of addresses) judge(target, address, guard);
        if (addresses.length === 0) throw Object.assign(new Error(`${hostname} leads nowhere.`), { code: 'ENOTFOUND' });
      } catch (refused) {
        return callback(refused as Error, []);
      }
      if (options.all) return callback(null, addresses);
      callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };

const UNKNOWN_HERE = /^(?:ENOTFOUND|EAI_)/;

/** Before a proxy is asked to connect. Rejects with AddressRefused, or with the resolver's error where the name has to be known here. */
export const judgeBehindProxy = async (target: URL, guard: AddressGuard, resolve?: LookupFunction): Promise<void> => {
  judgeLiteral(target, guard);
  if (guard.behindProxy === 'literal' || literalAddress(target.hostname) !== null) return;
  await new Promise<void>((done, fail) =>
    guardedLookup(target, guard, resolve)(target.hostname, { all: true }, (error) => {
      if (error === null || (guard.behindProxy === 'as_found' && UNKNOWN_HERE.test(String((error as NodeJS.ErrnoException).code)))) done();
      else fail(error);
    }),
  );
};
