import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { AgreeableKind } from '../../../shared/address-agreement.ts';
import { configuredOrigin, PUBLIC_ONLY, type AddressGuard } from '../../network/address-guard.ts';
import { addressKind, literalAddress, type AddressKind } from '../../network/address-kind.ts';
import { isLoopbackHost } from '../../network/proxy-route.ts';

/** Where a sign-in may lead: the server that it is for, and origins that the person agreed to by name. */
export interface AddressRules {
  readonly serverUrl: string;
  readonly agreed: readonly string[];
  /** where the person agreed that the server's own name may lead */
  readonly ownKinds?: readonly AgreeableKind[];
}

/** An address that may be used, with the addresses its name may lead to when it is dialled; `own`: as the person configured it. */
export interface JudgedAddress {
  readonly url: URL;
  readonly dial: 'own' | 'loopback' | 'public' | 'agreed';
}

/** Of what an origin may be that the person agreed to: a company's network; never this computer, its link or a cloud's metadata service. */
export const AGREED_KINDS: ReadonlySet<AddressKind> = new Set(['public', 'private', 'translated', 'reserved']);

/** What its name may lead to when it is dialled. A proxy looks the name up for itself: what this computer finds is judged all the same. */
export const signInGuard = ({ dial }: JudgedAddress, { serverUrl, ownKinds }: AddressRules): AddressGuard => {
  if (dial === 'own') return configuredOrigin(serverUrl, ownKinds);
  if (dial === 'loopback') return { may: (_target, kind) => kind === 'loopback', behindProxy: 'literal' };
  return dial === 'public' ? { ...PUBLIC_ONLY, behindProxy: 'as_found' } : { may: (_target, kind) => AGREED_KINDS.has(kind), behindProxy: 'as_found' };
};

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
 * private ones at an origin that the person agreed to. The parser is the platform's, the kinds are the guard's, so that octal, decimal and mapped forms are what they mean.
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
  const kind = literal === null ? null : addressKind(literal);
  if (agreed.includes(url.origin) && (kind === null || AGREED_KINDS.has(kind))) return ok({ url, dial: 'agreed' });
  if (kind === null || kind === 'public') return ok({ url, dial: 'public' });
  return refuse(AGREED_KINDS.has(kind) ? 'private_address' : 'address');
};
