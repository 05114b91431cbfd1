import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What an address is, for the guard. `private`: RFC 1918, unique local, shared (carrier grade NAT). `metadata`: the services by which a cloud gives a machine its
 * credentials. `translated`: a public IPv4 address inside an IPv6 one (mapped, NAT64, 6to4, Teredo); one that is not public counts as what it is.
 * `reserved`: what nobody has on the internet (benchmarks, documentation, 240/4). Some VPNs and proxies answer every name with one of these (198.18.0.0/15) and
 * connect in its place. `unspecified`: no place at all, and what is no address.
 */
const ADDRESS_KINDS = ['public', 'loopback', 'private', 'link_local', 'metadata', 'multicast', 'unspecified', 'translated', 'reserved'] as const;
export type AddressKind = (typeof ADDRESS_KINDS)[number];

/** AWS, Azure, Google, OpenStack and Oracle; AWS for containers and for its clusters; Alibaba; Oracle's older one; Azure's wire server, which lies in a public range. */
const METADATA: ReadonlySet<string> = new Set(['169.254.169.254', '169.254.170.2', '169.254.170.23', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254']);

const BY_RANGE: Readonly<Record<string, AddressKind>> = {
  unicast: 'public',
  loopback: 'loopback',
  private: 'private',
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
  carrierGradeNat: 'private',
  linkLocal: 'link_local',
  multicast: 'multicast',
  broadcast: 'multicast',
  unspecified: 'unspecified',
};

/** The IPv4 address that an IPv6 one carries; null where it carries none. Bytes as RFC 6052 (2.2, /96), RFC 3056 (2) and RFC 4380 (4) place them. */
const carried = (address: ipaddr.IPv6): ipaddr.IPv4 | null => {
  const bytes = address.toByteArray();
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
    case 'rfc6052':
      return new ipaddr.IPv4(bytes.slice(12));
    case '6to4':
      return new ipaddr.IPv4(bytes.slice(2, 6));
    case 'teredo':
      return new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff));
    default:
      return null;
  }
};

/** A translation that a network keeps for itself (RFC 8215): what it carries, and where, is that network's own. */
const LOCAL_TRANSLATION = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');

const kindOf = (address: ipaddr.IPv4 | ipaddr.IPv6): AddressKind => {
  if (address instanceof ipaddr.IPv6) {
    if (address.match(LOCAL_TRANSLATION)) return 'private';
    const inner = carried(address);
    if (inner !== null) return ((kind) => (kind === 'public' ? 'translated' : kind))(kindOf(inner));
  }
  // the zone of a link says through which card, not where
  const text = address.toString().replace(/%.*$/, '');
  return METADATA.has(text) ? 'metadata' : (BY_RANGE[address.range()] ?? 'reserved');
};

/** Of an address as a resolver gives it. */
export const addressKind = (address: string): AddressKind => (isIP(address) === 0 ? 'unspecified' : kindOf(ipaddr.parse(address)));

/** The host of a URL as an address, without brackets; null where it is a name. The platform's parser has made octal, decimal and short forms what they mean. */
export const literalAddress = (hostname: string): string | null => {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? null : bare;
};
