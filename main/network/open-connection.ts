import { request } from 'node:http';
import { connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, getCACertificates, type DetailedPeerCertificate, type SecureContext, type TLSSocket } from 'node:tls';
import { guardedLookup, judgeBehindProxy, judgeLiteral, type AddressGuard } from './address-guard.ts';
import { NetworkError } from './network-error.ts';
import { bracketed, proxyAuthorization, shownProxy, type ProxyAddress } from './proxy-address.ts';
import { portOf, routeFor, type OutboundConfig, type Route } from './proxy-route.ts';

/** What happens while a connection is made, in order; for the test that a person asks for. */
export type ConnectionStep =
  | { readonly step: 'route'; readonly route: Route }
  | { readonly step: 'dns'; readonly host: string; readonly address: string }
  | { readonly step: 'connect'; readonly host: string; readonly port: number; readonly address: string }
  | { readonly step: 'proxy'; readonly proxy: string; readonly status: number }
  | { readonly step: 'tls'; readonly host: string; readonly socket: TLSSocket };

export interface ConnectionOptions {
  /** whom this may reach; there is no connection without it */
  readonly guard: AddressGuard;
  readonly timeoutMs?: number | undefined;
  /** looks names up; the system's resolver otherwise */
  readonly resolve?: LookupFunction | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: ((step: ConnectionStep) => void) | undefined;
  /** roots besides those of the configuration, instead of the built-in ones, and a client's certificate: what npm's configuration names */
  readonly tls?: { readonly ca?: readonly string[] | undefined; readonly cert?: string | undefined; readonly key?: string | undefined } | undefined;
}

const CONNECT_MS = 30_000;

const contexts = new WeakMap<OutboundConfig, SecureContext>();

/** The built-in roots and the company's; made once a configuration, because reading 150 certificates takes a while. Without a company's certificate Node's own store is used. */
const contextOf = (config: OutboundConfig, tls: ConnectionOptions['tls']): SecureContext | undefined => {
  if (tls !== undefined && (tls.ca ?? tls.cert ?? tls.key) !== undefined) {
    const roots = tls.ca ?? getCACertificates('default');
    return createSecureContext({ ca: [...roots, ...config.extraRoots], ...(tls.cert === undefined ? {} : { cert: tls.cert }), ...(tls.key === undefined ? {} : { key: tls.key }) });
  }
  if (config.extraRoots.length === 0) return undefined;
  const known = contexts.get(config);
  if (known !== undefined) return known;
  const made = createSecureContext({ ca: [...getCACertificates('default'), ...config.extraRoots] });
  contexts.set(config, made);
  return made;
};

/** Resolves with the socket once `ready` is heard, rejects by its error, the signal or the time; whatever fails, the socket is closed. */
const settled = <S extends Socket>(socket: S, ready: 'connect' | 'secureConnect', signal: AbortSignal, late: () => Error): Promise<S> =>
  new Promise((resolve, reject) => {
    const done = (error?: Error): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off('error', done);
      socket.off('close', onClose);
      if (error === undefined) return resolve(socket);
      socket.destroy();
      reject(error);
    };
    const onAbort = (): void => done(late());
    const onClose = (): void => done(Object.assign(new Error('The connection was closed before it stood.'), { code: 'ECONNRESET' }));
    // whoever takes it hears its errors; until then, and after a failure, they end here
    socket.on('error', () => {});
    socket.once('error', done);
    socket.once('close', onClose);
    socket.once(ready, () => done());
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });

interface Place {
  readonly host: string;
  readonly port: number;
  readonly lookup: LookupFunction | undefined;
}

const toPlace = async ({ host, port, lookup }: Place, options: Pick<ConnectionOptions, 'onStep'>, signal: AbortSignal, late: () => Error): Promise<Socket> => {
  const socket = connectTcp({ host, port, ...(lookup === undefined ? {} : { lookup }) });
  socket.setNoDelay(true);
  socket.on('lookup', (error: Error | null, address: string) => {
    if (error === null) options.onStep?.({ step: 'dns', host, address });
  });
  await settled(socket, 'connect', signal, late);
  options.onStep?.({ step: 'connect', host, port, address: socket.remoteAddress ?? '' });
  return socket;
};

const isName = (host: string): boolean => !/^[\d.]+$|:/.test(host);

const secured = async (socket: Socket, host: string, config: OutboundConfig, options: Omit<ConnectionOptions, 'guard'>, signal: AbortSignal, late: () => Error): Promise<TLSSocket> => {
  const secureContext = contextOf(config, options.tls);
  // verification is on and stays on: there is no setting, option or variable here that turns it off
  const secure = connectTls({ socket, host, ...(isName(host) ? { servername: host } : {}), rejectUnauthorized: true, ALPNProtocols: ['http/1.1'], ...(secureContext === undefined ? {} : { secureContext }) });
  await settled(secure, 'secureConnect', signal, late);
  options.onStep?.({ step: 'tls', host, socket: secure });
  return secure;
};

/** CONNECT (RFC 9110, 9.3.6) over a connection to the proxy. */
const tunnel = (socket: Socket, proxy: ProxyAddress, target: string, signal: AbortSignal, late: () => Error, onStep: ConnectionOptions['onStep']): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const shown = shownProxy(proxy);
    const authorization = proxyAuthorization(proxy);
    const asked = request({ method: 'CONNECT', path: target, headers: { host: target, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) }, createConnection: () => socket });
    const finish = (error: Error): void => {
      signal.removeEventListener('abort', onAbort);
      asked.destroy();
      socket.destroy();
      reject(error);
    };
    const onAbort = (): void => finish(late());
    const answered = (status: number): void => {
      onStep?.({ step: 'proxy', proxy: shown, status });
      if (status === 407) return finish(new NetworkError('PROXY_SIGN_IN', authorization === null ? `The proxy ${shown} wants a user name and a password (407).` : `The proxy ${shown} does not accept this user name and password (407).`, { proxy: shown, status }));
      finish(new NetworkError('PROXY_REFUSED', `The proxy ${shown} answered ${status} instead of connecting to ${target}.`, { proxy: shown, status }));
    };
    asked.once('connect', (response, stream: Socket, head: Buffer) => {
      if (response.statusCode !== 200) return answered(response.statusCode ?? 0);
      signal.removeEventListener('abort', onAbort);
      if (head.length > 0) stream.unshift(head);
      onStep?.({ step: 'proxy', proxy: shown, status: 200 });
      resolve(stream);
    });
    // a proxy that is none answers as if it had been asked for a page
    asked.once('response', (response) => answered(response.statusCode ?? 0));
    // `on`: one that was given up can fail once more
    asked.on('error', (error) => finish(new NetworkError('PROXY_UNREACHABLE', `The proxy ${shown} broke the connection off.`, { proxy: shown, cause: error, ...codeOf(error) })));
    signal.addEventListener('abort', onAbort, { once: true });
    asked.end();
  });

const codeOf = (error: unknown): { readonly systemCode?: string } => {
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const code = (inner as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? { systemCode: code } : {};
};

const toProxy = async (proxy: ProxyAddress, config: OutboundConfig, options: Omit<ConnectionOptions, 'guard'>, signal: AbortSignal, late: () => Error): Promise<Socket> => {
  try {
    // the guard is about the target; where the proxy is, the person said
    const socket = await toPlace({ host: proxy.host, port: proxy.port, lookup: options.resolve }, options, signal, late);
    return proxy.secure ? await secured(socket, proxy.host, config, options, signal, late) : socket;
  } catch (error) {
    if (error instanceof NetworkError) throw error;
    const { systemCode } = codeOf(error);
    throw new NetworkError('PROXY_UNREACHABLE', `The proxy ${shownProxy(proxy)} could not be reached${systemCode === undefined ? '' : ` (${systemCode})`}.`, { proxy: shownProxy(proxy), cause: error, ...(systemCode === undefined ? {} : { systemCode }) });
  }
};

const timed = (options: Pick<ConnectionOptions, 'timeoutMs' | 'signal'>, what: string): { readonly signal: AbortSignal; readonly late: () => Error } => {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? CONNECT_MS);
  return {
    signal: options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]),
    late: () => (timeout.aborted ? new NetworkError('CONNECT_TIMEOUT', `No connection to ${what} in time.`) : new DOMException('The connection was not wanted any more.', 'AbortError')),
  };
};

/** A connection to a proxy that forwards plain `http:` requests itself (RFC 9112, 3.2.2); what is forwarded was judged by `judgeBehindProxy`. Rejects with NetworkError. */
export const connectToProxy = (proxy: ProxyAddress, config: OutboundConfig, options: Omit<ConnectionOptions, 'guard'> = {}): Promise<Socket> => {
  const { signal, late } = timed(options, shownProxy(proxy));
  return toProxy(proxy, config, options, signal, late);
};

/** Refuses what the settings cannot carry out: nothing goes straight where a proxy was asked for. */
export const refuseByProblem = (route: Route, config: OutboundConfig): void => {
  const free = route.kind === 'direct' && route.because !== 'no_proxy_set';
  if (config.problem !== null && !free) throw new NetworkError('NETWORK_SETTING', config.problem.message, { fault: config.problem });
};

/** As far as the origin: TCP, straight or through the proxy; TLS comes on top of it. */
const openStream = async (url: URL, config: OutboundConfig, options: ConnectionOptions, signal: AbortSignal, late: () => Error): Promise<Socket> => {
  const route = routeFor(url, config);
  options.onStep?.({ step: 'route', route });
  refuseByProblem(route, config);
  const host = bareHost(url);
  const port = portOf(url);
  if (route.kind === 'direct') {
    judgeLiteral(url, options.guard);
    return toPlace({ host, port, lookup: guardedLookup(url, options.guard, options.resolve) }, options, signal, late);
  }
  await judgeBehindProxy(url, options.guard, options.resolve);
  const proxy = await toProxy(route.proxy, config, options, signal, late);
  return tunnel(proxy, route.proxy, `${bracketed(host)}:${port}`, signal, late, options.onStep);
};

const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/**
 * A connection to the origin of an address: straight, or by CONNECT through the proxy, with TLS on top for `https:`. With `connectToProxy` it makes every
 * connection by which the host leaves this computer. Rejects with AddressRefused, NetworkError, or with the error of Node's net and tls.
 */
export const openConnection = async (url: URL, config: OutboundConfig, options: ConnectionOptions): Promise<Socket> => {
  const { signal, late } = timed(options, url.host);
  const stream = await openStream(url, config, options, signal, late);
  return url.protocol === 'https:' ? secured(stream, bareHost(url), config, options, signal, late) : stream;
};

/**
 * The certificates that an address shows, the address's own first, when they could not be trusted: only to be told to the person who asked. Nothing is sent over this
 * connection, and it is closed at once.
 */
export const lookAtCertificates = async (url: URL, config: OutboundConfig, options: Omit<ConnectionOptions, 'onStep'>): Promise<DetailedPeerCertificate | null> => {
  const { signal, late } = timed(options, url.host);
  const stream = await openStream(url, config, options, signal, late);
  const host = bareHost(url);
  const looked = connectTls({ socket: stream, host, ...(isName(host) ? { servername: host } : {}), rejectUnauthorized: false });
  try {
    await settled(looked, 'secureConnect', signal, late);
    const seen = looked.getPeerCertificate(true);
    return Object.keys(seen).length === 0 ? null : seen;
  } finally {
    looked.destroy();
  }
};
