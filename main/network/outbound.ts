import { Agent as HttpAgent, request as requestHttp, type ClientRequest, type ClientRequestArgs, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Agent, fetch as undiciFetch, request as undiciRequest, type Dispatcher } from 'undici';
import type { OutboundPurpose } from '../../shared/outbound.ts';
import { judgeBehindProxy, type AddressGuard } from './address-guard.ts';
import { capDecoded } from './cap-decoded.ts';
import { holdEnd } from './hold-end.ts';
import { connectToProxy, openConnection, refuseByProblem, type ConnectionOptions } from './open-connection.ts';
import { bracketed, proxyAuthorization, shownProxy, type ProxyAddress } from './proxy-address.ts';
import { portOf, routeFor, type OutboundConfig } from './proxy-route.ts';

/** One connection that was asked for, with where it leads; and again with `address`, where it was dialled. */
export interface ContactNote {
  readonly purpose: OutboundPurpose;
  readonly host: string;
  readonly port: number;
  readonly via: string | null;
  /** the server for which it was; null where it was for Gantry itself */
  readonly serverId: string | null;
  /** that was reached; null where none was yet, or where a proxy looks the name up */
  readonly address: string | null;
}

export interface OutboundDeps {
  /** the configuration of this moment; the same object until it changes */
  readonly config: () => Promise<OutboundConfig>;
  readonly onContact?: ((note: ContactNote) => void) | undefined;
  /** looks names up; the system's resolver otherwise */
  readonly resolve?: LookupFunction | undefined;
  readonly serverId?: string | undefined;
}

/** Whom a client may reach, and times in ms, as undici takes them. */
export interface ClientLimits {
  readonly guard: AddressGuard;
  readonly connectMs?: number;
  readonly headersMs?: number;
  readonly bodyMs?: number;
}

type Callback = (error: Error | null, socket?: Duplex | null) => void;

/** The way out of this computer. Each use names its purpose from the one table (shared/outbound.ts). */
export class Outbound {
  readonly #deps: OutboundDeps;

  constructor(deps: OutboundDeps) {
    this.#deps = deps;
  }

  config(): Promise<OutboundConfig> {
    return this.#deps.config();
  }

  /** The same book of contacts over another configuration: npm has proxies of its own. */
  over(config: OutboundConfig): Outbound {
    return new Outbound({ ...this.#deps, config: () => Promise.resolve(config) });
  }

  /** What is contacted by it is written down as contacted for this server. */
  for(serverId: string): Outbound {
    return new Outbound({ ...this.#deps, serverId });
  }

  /** Errors: those of openConnection. */
  async connect(purpose: OutboundPurpose, url: URL, options: ConnectionOptions): Promise<Socket> {
    const config = await this.#deps.config();
    this.note(purpose, url, config);
    const onStep: ConnectionOptions['onStep'] = (step) => {
      if (step.step === 'connect' && routeFor(url, config).kind === 'direct') this.note(purpose, url, config, step.address);
      options.onStep?.(step);
    };
    return openConnection(url, config, { resolve: this.#deps.resolve, ...options, onStep });
  }

  /** Before a plain http request is given to a proxy that forwards it. Rejects with AddressRefused. */
  judge(url: URL, guard: AddressGuard): Promise<void> {
    return judgeBehindProxy(url, guard, this.#deps.resolve);
  }

  client(purpose: OutboundPurpose, limits: ClientLimits): OutboundClient {
    return new OutboundClient(this, purpose, limits);
  }

  /** Agents for what speaks through Node's own http and https: npm's client and the updater. */
  agents(purpose: OutboundPurpose, { guard, tls, keepAlive = true, capBytes }: Pick<ConnectionOptions, 'guard' | 'tls'> & { readonly keepAlive?: boolean; /** of an answer that is read whole, decoded */ readonly capBytes?: number }): (url: URL) => HttpAgent {
    const create = (secure: boolean) => (options: ClientRequestArgs, callback?: Callback) => {
      const host = options.host ?? 'localhost';
      const url = new URL(`${secure ? 'https' : 'http'}://${bracketed(host)}:${options.port ?? (secure ? 443 : 80)}`);
      this.connect(purpose, url, { guard, tls }).then(
        (socket) => callback?.(null, socket),
        (error: unknown) => callback?.(error as Error),
      );
      return undefined;
    };
    const ours = <A extends HttpAgent>(agent: A, secure: boolean): A => {
      const { addRequest } = agent as unknown as { addRequest: (request: ClientRequest, ...rest: readonly unknown[]) => void };
      const capped = (request: ClientRequest, ...rest: readonly unknown[]): void => {
        if (capBytes !== undefined) capDecoded(request, capBytes);
        addRequest.call(agent, request, ...rest);
      };
      return Object.assign(agent, { createConnection: create(secure), addRequest: capped });
    };
    const plain = ours(new HttpAgent({ keepAlive, maxSockets: 15 }), false);
    const secure = ours(new HttpsAgent({ keepAlive, maxSockets: 15 }), true);
    return (url) => (url.protocol === 'https:' ? secure : plain);
  }

  /** One request in Node's own form, over a connection of its own: the updater leaves listeners on what it used. */
  request(purpose: 'update', guard: AddressGuard, options: RequestOptions, callback: (response: IncomingMessage) => void): ClientRequest {
    const secure = options.protocol !== 'http:';
    return (secure ? requestHttps : requestHttp)({ ...options, agent: this.agents(purpose, { guard, keepAlive: false })(new URL(secure ? 'https://any.example' : 'http://any.example')) }, callback);
  }

  note(purpose: OutboundPurpose, url: URL, config: OutboundConfig, address: string | null = null): void {
    const route = routeFor(url, config);
    this.#deps.onContact?.({ purpose, host: url.hostname, port: portOf(url), via: route.kind === 'proxy' ? shownProxy(route.proxy) : null, serverId: this.#deps.serverId ?? null, address });
  }
}

/** Headers as undici's callers give them: pairs in one row, or an object. */
const withHeaders = (headers: unknown, more: Readonly<Record<string, string>>): string[] => {
  const flat = Object.entries(more).flat();
  if (headers === null || headers === undefined) return flat;
  if (Array.isArray(headers)) return [...(headers as string[]), ...flat];
  const pairs = Symbol.iterator in (headers as object) ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers as Record<string, string | string[]>);
  return [...pairs.flatMap(([name, value]) => (Array.isArray(value) ? value.flatMap((one) => [name, one]) : [name, String(value)])), ...flat];
};

/** A `fetch` of one purpose. A changed configuration counts from the next request on; what is under way ends over its old connection. */
export class OutboundClient {
  readonly #outbound: Outbound;
  readonly #purpose: OutboundPurpose;
  readonly #limits: ClientLimits;
  #made: { readonly config: OutboundConfig; readonly dispatcher: Dispatcher; readonly agents: readonly Agent[] } | null = null;
  readonly #old = new Set<Agent>();

  constructor(outbound: Outbound, purpose: OutboundPurpose, limits: ClientLimits) {
    this.#outbound = outbound;
    this.#purpose = purpose;
    this.#limits = limits;
  }

  /** As the platform's, but that a redirect is an answer (or an error, where `init` says so): whoever follows one asks anew, and is judged anew. Rejects with AddressRefused, NetworkError or undici's TypeError around either. */
  fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const dispatcher = await this.#judged(new URL(input));
    return (await undiciFetch(input, { ...init, redirect: init.redirect === 'error' ? 'error' : 'manual', dispatcher } as unknown as Parameters<typeof undiciFetch>[1])) as unknown as Response;
  };

  /** A GET that sends the given headers and nothing of its own; redirects are not followed. Rejects as fetch does. */
  async get(url: URL, options: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal }): Promise<Dispatcher.ResponseData> {
    return undiciRequest(url, { ...options, dispatcher: await this.#judged(url) });
  }

  /** Every other connection is judged where it is made; a proxy that forwards plain http makes one for all it is asked for. */
  async #judged(url: URL): Promise<Dispatcher> {
    const config = await this.#outbound.config();
    if (url.protocol === 'http:' && config.problem === null && routeFor(url, config).kind === 'proxy') await this.#outbound.judge(url, this.#limits.guard);
    return this.#dispatcher(config);
  }

  #dispatcher(config: OutboundConfig): Dispatcher {
    if (this.#made?.config === config) return this.#made.dispatcher;
    for (const agent of this.#made?.agents ?? []) {
      this.#old.add(agent);
      void agent.close().then(() => this.#old.delete(agent), () => {});
    }
    const { connectMs, headersMs, bodyMs, guard } = this.#limits;
    const common = { ...(headersMs === undefined ? {} : { headersTimeout: headersMs }), ...(bodyMs === undefined ? {} : { bodyTimeout: bodyMs }) };
    const options: ConnectionOptions = { guard, timeoutMs: connectMs };
    const connector = (connect: (url: URL) => Promise<Socket>) => (wanted: { readonly protocol: string; readonly hostname: string; readonly port: string }, callback: (error: Error | null, socket: Socket | null) => void) => {
      connect(new URL(`${wanted.protocol}//${wanted.hostname.includes(':') && !wanted.hostname.startsWith('[') ? `[${wanted.hostname}]` : wanted.hostname}${wanted.port === '' ? '' : `:${wanted.port}`}`)).then(
        (socket) => callback(null, holdEnd(socket)),
        (error: unknown) => callback(error as Error, null),
      );
    };
    const straight = new Agent({ ...common, connect: connector((url) => this.#outbound.connect(this.#purpose, url, options)) as never });
    const forwards = new Map<ProxyAddress, Agent>();
    const agents = [straight];
    const forward = (proxy: ProxyAddress): Agent => {
      const known = forwards.get(proxy);
      if (known !== undefined) return known;
      const made = new Agent({ ...common, connect: connector(() => connectToProxy(proxy, config, { timeoutMs: connectMs })) as never });
      forwards.set(proxy, made);
      agents.push(made);
      return made;
    };
    const dispatcher = straight.compose((dispatch) => (asked, handler) => {
      const url = new URL(String(asked.origin));
      const route = routeFor(url, config);
      if (route.kind === 'direct' || url.protocol === 'https:') return dispatch(asked, handler);
      // a proxy forwards plain http itself: many allow CONNECT to 443 only
      refuseByProblem(route, config);
      this.#outbound.note(this.#purpose, url, config);
      const authorization = proxyAuthorization(route.proxy);
      const headers = withHeaders(asked.headers, { host: url.host, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) });
      return forward(route.proxy).dispatch({ ...asked, origin: shownProxy(route.proxy), path: `${url.origin}${asked.path}`, headers }, handler);
    });
    this.#made = { config, dispatcher, agents };
    return dispatcher;
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    const all = [...(this.#made?.agents ?? []), ...this.#old];
    this.#made = null;
    await Promise.all(all.map((agent) => agent.destroy().catch(() => {})));
  }
}
