import ipaddr from 'ipaddr.js';
import type { Fault } from '../../shared/fault.ts';
import type { ProxyAddress } from './proxy-address.ts';

/** Where connections go and whom they trust; plain data, so that a worker thread has the same. Holds a password. */
export interface OutboundConfig {
  /** for `http:` and `https:` addresses */
  readonly proxies: { readonly http: ProxyAddress | null; readonly https: ProxyAddress | null };
  /** hosts that are reached directly, as in NO_PROXY */
  readonly bypass: readonly string[];
  /** certificates in PEM that are trusted besides the built-in ones */
  readonly extraRoots: readonly string[];
  /** why no connection can be made but to this computer: the proxy's password is locked away, say */
  readonly problem: Fault | null;
}

export const DIRECT: OutboundConfig = { proxies: { http: null, https: null }, bypass: [], extraRoots: [], problem: null };

export type Route =
  | { readonly kind: 'direct'; readonly because: 'loopback' | 'bypass' | 'no_proxy_set'; readonly entry?: string }
  | { readonly kind: 'proxy'; readonly proxy: ProxyAddress };

const bareHost = (host: string): string => host.replace(/^\[|\]$/g, '').replace(/\.$/, '').toLowerCase();

/** This computer, by whichever of its names (RFC 6761, RFC 1122, RFC 4291). */
export const isLoopbackHost = (host: string): boolean => {
  const bare = bareHost(host);
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true;
  if (!ipaddr.isValid(bare)) return false;
  return ipaddr.process(bare).range() === 'loopback';
};

const inRange = (host: string, range: string): boolean => {
  try {
    const [network, bits] = ipaddr.parseCIDR(range);
    const address = ipaddr.process(host);
    return address.kind() === network.kind() && address.match(network, bits);
  } catch {
    return false;
  }
};

/** One entry of a no-proxy list: a name and what lies below it, `.name` and `*.name` alike, an address, a range, each with or without a port; `*` is everything. */
const entryFits = (entry: string, host: string, port: number): boolean => {
  if (entry === '*') return true;
  if (entry.includes('/')) return ipaddr.isValid(host) && inRange(host, entry);
  const withPort = /^(.*):(\d+)$/.exec(entry);
  const named = withPort !== null && (!withPort[1]!.includes(':') || withPort[1]!.endsWith(']'));
  if (named && Number(withPort[2]) !== port) return false;
  const name = bareHost(named ? withPort[1]! : entry).replace(/^\*?\./, '');
  if (name === '') return false;
  if (ipaddr.isValid(name) || ipaddr.isValid(host)) return ipaddr.isValid(name) && ipaddr.isValid(host) && ipaddr.process(name).toString() === ipaddr.process(host).toString();
  return host === name || host.endsWith(`.${name}`);
};

export const parseBypass = (text: string): readonly string[] => text.split(/[\s,;]+/).filter((entry) => entry !== '').map((entry) => entry.toLowerCase());

/** The port that an address names or means. */
export const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

/** How an address is reached. This computer never goes through a proxy, whatever is set. */
export const routeFor = (url: URL, config: OutboundConfig): Route => {
  const host = bareHost(url.hostname);
  if (isLoopbackHost(host)) return { kind: 'direct', because: 'loopback' };
  const proxy = url.protocol === 'https:' ? config.proxies.https : config.proxies.http;
  if (proxy === null) return { kind: 'direct', because: 'no_proxy_set' };
  const entry = config.bypass.find((one) => entryFits(one, host, portOf(url)));
  return entry === undefined ? { kind: 'proxy', proxy } : { kind: 'direct', because: 'bypass', entry };
};
