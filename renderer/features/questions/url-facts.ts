export interface UrlFacts {
  /** with its port, as a browser goes there: letters of other scripts in their plain (punycode) form */
  readonly host: string;
  /** the address as the browser is given it */
  readonly href: string;
  /** letters of another script stand in the name, written as `xn--` */
  readonly punycode: boolean;
  readonly loopback: boolean;
  readonly encrypted: boolean;
}

/** What a person has to see of an address before they open it; null where no browser may be given it. */
export const urlFacts = (text: string): UrlFacts | null => {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '') return null;
  const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !loopback) return null;
  return { host: url.host, href: url.href, punycode: /(?:^|\.)xn--/.test(url.hostname), loopback, encrypted: url.protocol === 'https:' };
};
