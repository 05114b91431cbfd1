import ipaddr from 'ipaddr.js';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { isLoopbackHost } from '../../network/proxy-route.ts';
import { isPublicAddress, literalAddress } from '../../network/public-address.ts';

/** Where a sign-in may lead: the server that it is for, and origins that the person agreed to by name. */
export interface AddressRules {
  readonly serverUrl: string;
  readonly agreed: readonly string[];
}

/** An address that may be used, with the addresses its name may lead to when it is dialled; `own`: as the person configured it. */
export interface JudgedAddress {
  readonly url: URL;
  readonly dial: 'own' | 'loopback' | 'public' | 'agreed';
}

const PRIVATE: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);
const rangeOf = (address: string): string => ipaddr.process(address).range();
/** Addresses inside a company's network; never this computer, its link or a cloud's metadata service. */
export const isPrivateAddress = (address: string): boolean => ipaddr.isValid(address) && PRIVATE.has(rangeOf(address));
export const isLoopbackAddress = (address: string): boolean => ipaddr.isValid(address) && rangeOf(address) === 'loopback';

/** `why`: scheme, login, private_address (the person may agree to `origin`), address (nobody may). */
export const unsafeAddress = (what: string, shown: string, why: 'scheme' | 'login' | 'private_address' | 'address' | 'other_origin', origin?: string): Fault => {
  const words = {
    scheme: 'is no https address',
    login: 'holds a user name or a password',
    private_address: 'lies in a private network',
    address: 'leads to this computer or to a special address',
    other_origin: 'lies at another origin than the server',
  }[why];
  const remedy = why === 'private_address' || why === 'other_origin' ? 'Agree to this origin if you know it, then sign in.' : 'Do not sign in there; ask who runs the server.';
  return fault('sign_in_unsafe', `${what} (${shown}) ${words}; it was not contacted.`, { remedy, details: { why, address: shown, ...(origin === undefined ? {} : { origin }) } });
};

const shownText = (text: string): string => text.slice(0, 300).toWellFormed();

/**
 * Judges an address that a server or its login server names (N01, N02, N06). https only, or http on this computer for a server on this computer; public addresses, or
 * private ones at an origin that the person agreed to. The parser is the platform's and ipaddr.js, so that octal, decimal and mapped forms are what they mean.
 * Names are judged again by what they lead to when they are dialled.
 */
export const judgeAddress = (text: string, what: string, { serverUrl, agreed }: AddressRules): Result<JudgedAddress, Fault> => {
  const url = URL.parse(text);
  const refuse = (why: Parameters<typeof unsafeAddress>[2]): Result<never, Fault> => err(unsafeAddress(what, url === null ? shownText(text) : shownText(url.origin === 'null' ? url.href : url.origin + url.pathname), why, url?.origin));
  if (url === null) return refuse('scheme');
  if (url.username !== '' || url.password !== '') return refuse('login');
  const server = new URL(serverUrl);
  if (url.origin === server.origin) return ok({ url, dial: 'own' });
  const literal = literalAddress(url.hostname);
  if (isLoopbackHost(url.hostname)) {
    if (!isLoopbackHost(server.hostname)) return refuse('address');
    return url.protocol === 'https:' || url.protocol === 'http:' ? ok({ url, dial: 'loopback' }) : refuse('scheme');
  }
  if (url.protocol !== 'https:') return refuse('scheme');
  if (agreed.includes(url.origin) && (literal === null || isPublicAddress(literal) || isPrivateAddress(literal))) return ok({ url, dial: 'agreed' });
  if (literal === null || isPublicAddress(literal)) return ok({ url, dial: 'public' });
  return refuse(isPrivateAddress(literal) ? 'private_address' : 'address');
};
