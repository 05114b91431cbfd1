import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';

/** An HTTP proxy as connections use it. Holds a password: in memory only, never logged, never in a message. */
export interface ProxyAddress {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** `proxy.example:3128`, with or without `http://` or `https://`. Errors: invalid_request without a field, which the caller knows. */
export const parseProxyAddress = (text: string): Result<ProxyAddress, Fault> => {
  const bare = text.trim();
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(bare) ? bare : `http://${bare}`;
  const url = URL.canParse(whole) ? new URL(whole) : null;
  if (url === null || url.hostname === '') return err(fault('invalid_request', 'This is no address of a proxy.', { remedy: 'Write it as http://proxy.example:3128.' }));
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return err(fault('invalid_request', `Gantry speaks to HTTP proxies; ${url.protocol.slice(0, -1)} is another kind.`, { remedy: 'Ask for the address of the HTTP proxy, written as http://proxy.example:3128.' }));
  }
  if (url.search !== '' || url.hash !== '' || (url.pathname !== '/' && url.pathname !== '')) return err(fault('invalid_request', 'The address of a proxy has no path.', { remedy: 'Write it as http://proxy.example:3128.' }));
  const secure = url.protocol === 'https:';
  return ok({ secure, host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || (secure ? 443 : 80)), user: decoded(url.username), password: decoded(url.password) });
};

/** A host as it stands in an address: IPv6 in brackets. */
export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** As it is shown: without name and password. */
export const shownProxy = (proxy: ProxyAddress): string => `${proxy.secure ? 'https' : 'http'}://${bracketed(proxy.host)}:${proxy.port}`;

/** With name and password, for an app that a person lets know it. */
export const wholeProxy = (proxy: ProxyAddress): string => {
  const login = proxy.user === '' ? '' : `${encodeURIComponent(proxy.user)}${proxy.password === '' ? '' : `:${encodeURIComponent(proxy.password)}`}@`;
  return `${proxy.secure ? 'https' : 'http'}://${login}${bracketed(proxy.host)}:${proxy.port}`;
};

/** The value of `Proxy-Authorization` (RFC 7617), or null where nobody signs in. */
export const proxyAuthorization = (proxy: ProxyAddress): string | null => (proxy.user === '' && proxy.password === '' ? null : `Basic ${Buffer.from(`${proxy.user}:${proxy.password}`, 'utf8').toString('base64')}`);
