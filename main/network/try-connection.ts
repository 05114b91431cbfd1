import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { fault, type Fault } from '../../shared/fault.ts';
import type { ConnectionTest, TestStep } from '../../shared/network.ts';
import type { AddressGuard } from './address-guard.ts';
import { networkFault } from './network-fault.ts';
import { connectToProxy, lookAtCertificates, type ConnectionOptions, type ConnectionStep } from './open-connection.ts';
import type { Outbound } from './outbound.ts';
import { shownProxy } from './proxy-address.ts';
import { routeFor, type OutboundConfig, type Route } from './proxy-route.ts';

/** What a registry or an address answered. */
export interface Answer {
  readonly ok: boolean;
  readonly facts: TestStep['facts'];
  readonly fault: Fault | null;
}

export interface TestInput {
  readonly url: URL;
  readonly config: OutboundConfig;
  /** SHA-256 fingerprints of the company's certificates */
  readonly companyFingerprints: readonly string[];
  readonly outbound: Outbound;
  readonly guard: AddressGuard;
  readonly tls?: ConnectionOptions['tls'];
  /** the request itself, once the connection is known to stand */
  readonly ask: (url: URL) => Promise<Answer>;
  readonly signal: AbortSignal;
  readonly monotonic: () => number;
}

const TEST_MS = 15_000;

const name = (one: { readonly CN?: string | string[]; readonly O?: string | string[] } | undefined): string => [one?.CN, one?.O].flat().filter(Boolean).join(', ');

/** The last certificate of the chain as it was built: the root, or what came instead of one. */
const lastOf = (leaf: DetailedPeerCertificate): DetailedPeerCertificate => {
  let at = leaf;
  for (let depth = 0; depth < 20 && at.issuerCertificate && at.issuerCertificate !== at; depth += 1) at = at.issuerCertificate;
  return at;
};

const certificateFacts = (leaf: DetailedPeerCertificate): TestStep['facts'] => {
  const last = lastOf(leaf);
  return { subject: name(leaf.subject), issuer: name(leaf.issuer), root: name(last.subject) || name(last.issuer), rootFingerprint: last.fingerprint256, validTo: Date.parse(leaf.valid_to) };
};

const routeFacts = (route: Route): TestStep['facts'] => (route.kind === 'proxy' ? { via: shownProxy(route.proxy), signsIn: route.proxy.user !== '' } : { via: null, because: route.because, entry: route.entry ?? null });

const factsOf = (step: ConnectionStep, company: readonly string[]): TestStep['facts'] => {
  switch (step.step) {
    case 'route':
      return routeFacts(step.route);
    case 'dns':
      return { host: step.host, address: step.address };
    case 'connect':
      return { host: step.host, port: step.port, address: step.address };
    case 'proxy':
      return { proxy: step.proxy, status: step.status };
    case 'tls':
      return tlsFacts(step.socket, company);
  }
};

const tlsFacts = (socket: TLSSocket, company: readonly string[]): TestStep['facts'] => {
  const leaf = socket.getPeerCertificate(true);
  const facts = certificateFacts(leaf);
  return { ...facts, protocol: socket.getProtocol() ?? '', trustedBy: company.includes(String(facts['rootFingerprint'])) ? 'company' : 'built_in' };
};

/** The step at which it broke, from the last one that went well. */
const brokenStep = (steps: readonly TestStep[], url: URL, code: string): TestStep['step'] => {
  const route = steps.find(({ step }) => step === 'route');
  const connected = steps.some(({ step }) => step === 'connect');
  const proxied = route?.facts['via'] !== null && route !== undefined;
  if (!route || code === 'NETWORK_SETTING') return 'route';
  if (!connected) return /^(?:ENOTFOUND|EAI_)/.test(code) ? 'dns' : 'connect';
  if (proxied && !steps.some(({ step, facts }) => step === 'proxy' && facts['status'] === 200)) return 'proxy';
  return url.protocol === 'https:' && !steps.some(({ step }) => step === 'tls') ? 'tls' : 'answer';
};

const codeOf = (error: unknown): string => {
  const seen = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const { code, systemCode } = (seen ?? {}) as { code?: unknown; systemCode?: unknown };
  return typeof systemCode === 'string' && code === 'PROXY_UNREACHABLE' && /^(?:ENOTFOUND|EAI_)/.test(systemCode) ? systemCode : typeof code === 'string' ? code : 'unknown';
};

const WORDS: Readonly<Record<string, string>> = { ENOTFOUND: 'its name is not known', EAI_AGAIN: 'names cannot be looked up now', ECONNREFUSED: 'nobody answers there', CONNECT_TIMEOUT: 'it did not answer in time', ETIMEDOUT: 'it did not answer in time', ECONNRESET: 'the connection was broken off', EHOSTUNREACH: 'there is no way to it', ENETUNREACH: 'there is no network to it' };

const plainFault = (url: URL, code: string): Fault => fault('connection_failed', `${url.host} could not be reached: ${WORDS[code] ?? 'the connection failed'} (${code}).`, { remedy: 'Check the address and the network, and whether a proxy is needed.', details: { cause: code } });

/** As an address is told: without name, password, query. */
export const shownUrl = (url: URL): string => `${url.origin}${url.pathname}`;

/**
 * Connects as everything else does, once, and says what was seen at each step; then asks. Where the certificate is not trusted, a second look says whose it is.
 * Never rejects for what it finds.
 */
export const tryConnection = async (input: TestInput): Promise<ConnectionTest> => {
  const { url, signal, monotonic } = input;
  const steps: TestStep[] = [];
  let at = monotonic();
  const add = (step: TestStep['step'], ok: boolean, facts: TestStep['facts']): void => {
    const now = monotonic();
    steps.push({ step, ok, facts, ms: Math.round(now - at) });
    at = now;
  };
  const options: ConnectionOptions = { guard: input.guard, timeoutMs: TEST_MS, signal, tls: input.tls, onStep: (seen) => add(seen.step, seen.step !== 'proxy' || seen.status === 200, factsOf(seen, input.companyFingerprints)) };
  const end = (why: Fault | null): ConnectionTest => ({ target: shownUrl(url), ok: why === null, steps, fault: why });
  try {
    await tryWay(input, options);
  } catch (error) {
    const code = codeOf(error);
    const why = networkFault(error, url.host) ?? plainFault(url, code);
    const broken = brokenStep(steps, url, code);
    if (steps.at(-1)?.step !== broken || steps.at(-1)?.ok) add(broken, false, { cause: String(why.details?.['cause'] ?? code), ...(broken === 'tls' && why.code === 'certificate_untrusted' ? await seenCertificate(input) : {}) });
    return end(why);
  }
  const answer = await input.ask(url).catch((error: unknown): Answer => ({ ok: false, facts: { cause: codeOf(error) }, fault: networkFault(error, url.host) ?? plainFault(url, codeOf(error)) }));
  add('answer', answer.ok, answer.facts);
  return end(answer.fault);
};

const tryWay = async ({ url, config, outbound }: TestInput, options: ConnectionOptions): Promise<void> => {
  const route = routeFor(url, config);
  if (route.kind === 'proxy' && url.protocol === 'http:' && config.problem === null) {
    options.onStep?.({ step: 'route', route });
    await outbound.judge(url, options.guard);
    outbound.note('connection_test', url, config);
    (await connectToProxy(route.proxy, config, options)).destroy();
    // this proxy forwards the request itself; its answer is the answer
    options.onStep?.({ step: 'proxy', proxy: shownProxy(route.proxy), status: 200 });
    return;
  }
  (await outbound.connect('connection_test', url, options)).destroy();
};

const seenCertificate = async ({ url, config, guard, signal }: TestInput): Promise<TestStep['facts']> => {
  try {
    const seen = await lookAtCertificates(url, config, { guard, timeoutMs: TEST_MS, signal });
    return seen === null ? {} : certificateFacts(seen);
  } catch {
    return {};
  }
};
