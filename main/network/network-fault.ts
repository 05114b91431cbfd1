import { fault, type Fault } from '../../shared/fault.ts';
import type { AddressKind } from './address-kind.ts';
import { addressRefusedIn, type RefusedAddress } from './address-refused.ts';

/** What OpenSSL and Node say of a chain that ends at no root that is trusted here. */
const UNKNOWN_ISSUER: ReadonlySet<string> = new Set(['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_UNTRUSTED', 'INVALID_CA']);
const UNTRUSTED = /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|ERR_TLS_CERT_|HOSTNAME_MISMATCH)/;

interface Seen {
  readonly code: string;
  readonly error: Record<string, unknown>;
}

const chain = function* (thrown: unknown): Generator<Seen> {
  let at: unknown = thrown;
  for (let depth = 0; typeof at === 'object' && at !== null && depth < 8; depth += 1) {
    const error = at as Record<string, unknown>;
    const code = typeof error['code'] === 'string' ? error['code'] : '';
    if (code !== '') yield { code, error };
    at = error['cause'] ?? (error['data'] as { cause?: unknown } | undefined)?.cause ?? (Array.isArray(error['errors']) ? error['errors'][0] : undefined);
  }
};

const PROXY_REMEDY: Readonly<Record<string, string>> = {
  PROXY_SIGN_IN: 'Set the user name and the password of the proxy under Settings, Network.',
  PROXY_REFUSED: 'Ask whoever runs the proxy whether it lets this address through, or name the address as one to reach without it under Settings, Network.',
  PROXY_UNREACHABLE: 'Check the proxy’s address under Settings, Network; its test says what happens step by step.',
};

const untrusted = (code: string, where: string | null): Fault => {
  const about = where ?? 'The other side';
  const details = { cause: code };
  if (UNKNOWN_ISSUER.has(code)) {
    return fault('certificate_untrusted', `${about} shows a certificate whose issuer this computer does not know (${code}).`, {
      remedy: 'Where your company’s network reads connections, add its certificate under Settings, Network, Company certificate. Else do not trust this connection.',
      details: { ...details, why: 'unknown_issuer' },
    });
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return fault('certificate_untrusted', `${about} shows a certificate that is ${code === 'CERT_HAS_EXPIRED' ? 'out of date' : 'not valid yet'} (${code}).`, { remedy: 'Check date and time of this computer; if they are right, ask whoever runs it.', details: { ...details, why: 'dates' } });
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH') {
    return fault('certificate_untrusted', `${about} shows a certificate for another name (${code}).`, { remedy: 'Check the address. If it is right, something on the way answers in its place: do not trust this connection.', details: { ...details, why: 'other_name' } });
  }
  return fault('certificate_untrusted', `${about} shows a certificate that cannot be trusted (${code}).`, { remedy: 'Ask whoever runs it; the test under Settings, Network says what was seen.', details: { ...details, why: 'invalid' } });
};

const LIES: Readonly<Record<AddressKind, string>> = {
  public: 'another place than the one that was configured',
  loopback: 'this computer itself',
  private: 'a private network',
  link_local: 'the link of this computer',
  metadata: 'the service by which a cloud gives its machines their credentials',
  multicast: 'many places at once',
  unspecified: 'no place, which some systems take for this computer',
  translated: 'a translated address',
  reserved: 'an address that nobody has on the internet; some VPNs and proxies give such',
};

const refusedAddress = ({ host, address, kind, agreeable }: RefusedAddress): Fault =>
  fault('address_refused', `${host === address || host === `[${address}]` ? `${host} is` : `${host} leads to ${address}, that is`} ${LIES[kind]}; it was not contacted.`, {
    remedy: agreeable ? 'If you know that this name leads into your own network, agree to that on the server’s page. Else do not use this address.' : 'Check the address, and ask who runs it.',
    details: { host, address, kind, agreeable },
  });

/**
 * What a failure says of the way: the guard, the proxy, the certificate, a setting that cannot be carried out. Null for anything else. Also reads errors that a library copied
 * or that came from another thread: all it needs are their codes. Codes: address_refused, proxy_refused, certificate_untrusted, and those of a setting (secret_store_locked, invalid_request).
 */
export const networkFault = (thrown: unknown, where: string | null = null): Fault | null => {
  const refused = addressRefusedIn(thrown);
  if (refused !== null) return refusedAddress(refused);
  for (const { code, error } of chain(thrown)) {
    if (code === 'NETWORK_SETTING' && error['fault']) return error['fault'] as Fault;
    if (code in PROXY_REMEDY) {
      const { proxy, status, systemCode } = error as { proxy?: string | null; status?: number | null; systemCode?: string | null };
      if (systemCode && UNTRUSTED.test(systemCode)) return untrusted(systemCode, `The proxy ${proxy}`);
      const words = typeof error['message'] === 'string' && error['message'].startsWith('The proxy ') ? error['message'] : said(code, proxy ?? null, status ?? null);
      return fault('proxy_refused', words, { remedy: PROXY_REMEDY[code]!, details: { cause: code, proxy: proxy ?? null, status: status ?? null, ...(systemCode ? { systemCode } : {}) } });
    }
    if (UNTRUSTED.test(code)) return untrusted(code, where);
  }
  return null;
};

const said = (code: string, proxy: string | null, status: number | null): string => {
  const name = proxy === null ? 'The proxy' : `The proxy ${proxy}`;
  if (code === 'PROXY_SIGN_IN') return `${name} wants another user name or password (407).`;
  return code === 'PROXY_REFUSED' ? `${name} answered ${status ?? 'something else'} instead of connecting.` : `${name} could not be reached.`;
};
