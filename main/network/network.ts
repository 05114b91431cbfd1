import { fault, type Fault } from '../../shared/fault.ts';
import type { NetworkStatus } from '../../shared/network.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Clock } from '../clock.ts';
import { HOST_SECRETS } from '../secrets/host-secrets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Store } from '../store/database.ts';
import { CompanyCertificateFile } from './company-certificate.ts';
import { ContactList } from './contact-list.ts';
import { Outbound } from './outbound.ts';
import { parseProxyAddress, shownProxy, type ProxyAddress } from './proxy-address.ts';
import { isLoopbackHost, parseBypass, type OutboundConfig } from './proxy-route.ts';
import { namesProxies, PROXY_VARIABLES, systemProxies, type SystemProxies } from './system-proxies.ts';

/** Settings that say where connections go. Those for apps count at an app's next start by themselves. */
const NETWORK_KEYS = ['proxyMode', 'proxyAddress', 'proxyBypass', 'proxyUser', 'npmRegistry'] as const satisfies readonly (keyof Settings)[];

const PASSWORD = 'proxy.password';
const TOKEN = 'npm.token';

export type NetworkSecrets = Pick<Secrets, 'put' | 'reveal' | 'remove' | 'remember' | 'list'>;

export interface NetworkDeps {
  readonly store: Pick<Store, 'read' | 'write'>;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly secrets: NetworkSecrets;
  readonly settings: () => Settings;
  /** the environment that Gantry was started with */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** those variables as the login shell has them; asked once, and only where the environment is a desktop's bare one */
  readonly loginVariables: ((names: readonly string[]) => Promise<ReadonlyMap<string, string> | null>) | null;
  /** routes or trust have changed */
  readonly onChange: () => void;
}

/** The state of the network settings: which proxy, which roots, and what was contacted. Owns the one way out. */
export class Network {
  readonly outbound: Outbound;
  readonly certificate: CompanyCertificateFile;
  readonly contacts: ContactList;
  readonly #deps: NetworkDeps;
  #config: Promise<OutboundConfig> | null = null;
  #system: Promise<{ readonly proxies: SystemProxies; readonly fromLoginShell: boolean }> | null = null;

  constructor(deps: NetworkDeps) {
    this.#deps = deps;
    this.contacts = new ContactList(deps);
    this.certificate = new CompanyCertificateFile(deps.dataDir);
    this.outbound = new Outbound({ config: () => this.config(), onContact: (note) => this.contacts.note(note) });
  }

  /** The same object until something changes: connections that were made by an older one are let run out. */
  config(): Promise<OutboundConfig> {
    return (this.#config ??= this.#read());
  }

  /** Settings, secrets or the certificate are others: counts from the next connection on. */
  changed(): void {
    this.#config = null;
    this.#deps.onChange();
  }

  /** Seals it; null takes it away. Errors: those of the secret store. */
  setSecret(which: 'password' | 'token', value: string | null): Result<void, Fault> {
    const place = which === 'password' ? PASSWORD : TOKEN;
    if (value === null) {
      const ref = this.#ref(place);
      if (ref !== null) this.#deps.secrets.remove(ref);
    } else {
      const sealed = this.#deps.secrets.put({ serverId: HOST_SECRETS, place, value });
      if (!sealed.ok) return { ok: false, error: { ...sealed.error, field: `/${which}` } };
    }
    this.changed();
    return ok(undefined);
  }

  /** A password belongs to one proxy and user, a token to one registry: neither is ever sent to another. */
  settingsChanged(before: Settings, after: Settings): void {
    if (before.proxyAddress !== after.proxyAddress || before.proxyUser !== after.proxyUser) this.#forget(PASSWORD);
    if (before.npmRegistry !== after.npmRegistry) this.#forget(TOKEN);
    if (NETWORK_KEYS.some((key) => before[key] !== after[key])) this.changed();
  }

  has(which: 'password' | 'token'): boolean {
    return this.#ref(which === 'password' ? PASSWORD : TOKEN) !== null;
  }

  /** Null where none is set. Errors: those of the secret store. */
  token(): Result<string | null, Fault> {
    const ref = this.#ref(TOKEN);
    return ref === null ? ok(null) : this.#deps.secrets.reveal(ref);
  }

  async proxyStatus(): Promise<NetworkStatus['proxy']> {
    const { proxyMode } = this.#deps.settings();
    const { proxies, bypass, problem } = await this.config();
    const system = proxyMode === 'system' ? await this.#systemProxies() : null;
    return {
      mode: proxyMode,
      http: proxies.http === null ? null : shownProxy(proxies.http),
      https: proxies.https === null ? null : shownProxy(proxies.https),
      bypass: [...bypass],
      from: [...(system?.proxies.from ?? [])],
      fromLoginShell: system?.fromLoginShell ?? false,
      passwordSet: this.has('password'),
      problem,
    };
  }

  #ref(place: string): string | null {
    return this.#deps.secrets.list().find((one) => one.serverId === HOST_SECRETS && one.place === place)?.ref ?? null;
  }

  #forget(place: string): void {
    const ref = this.#ref(place);
    if (ref !== null) this.#deps.secrets.remove(ref);
  }

  async #read(): Promise<OutboundConfig> {
    const { proxyMode, proxyAddress, proxyBypass, proxyUser } = this.#deps.settings();
    const extraRoots = this.certificate.pems;
    if (proxyMode === 'off') return { proxies: { http: null, https: null }, bypass: [], extraRoots, problem: null };
    if (proxyMode === 'system') {
      const { http, https, bypass, problem } = (await this.#systemProxies()).proxies;
      return { proxies: { http, https }, bypass, extraRoots, problem };
    }
    const bypass = parseBypass(proxyBypass);
    const none = { http: null, https: null };
    const parsed = parseProxyAddress(proxyAddress);
    if (!parsed.ok) return { proxies: none, bypass, extraRoots, problem: { ...parsed.error, field: '/proxyAddress' } };
    const ref = this.#ref(PASSWORD);
    const password = ref === null ? ok('') : this.#deps.secrets.reveal(ref);
    const proxy: ProxyAddress = { ...parsed.value, user: proxyUser, password: password.ok ? password.value : '' };
    return { proxies: { http: proxy, https: proxy }, bypass, extraRoots, problem: password.ok ? null : password.error };
  }

  #systemProxies(): Promise<{ readonly proxies: SystemProxies; readonly fromLoginShell: boolean }> {
    return (this.#system ??= this.#askSystem());
  }

  async #askSystem(): Promise<{ readonly proxies: SystemProxies; readonly fromLoginShell: boolean }> {
    const { env, loginVariables, secrets } = this.#deps;
    const found = namesProxies(env) ? null : ((await loginVariables?.(PROXY_VARIABLES)) ?? null);
    const proxies = systemProxies(found === null ? env : Object.fromEntries(found));
    // a password in the environment is masked like one that was sealed
    for (const proxy of [proxies.http, proxies.https]) if (proxy !== null && proxy.password !== '') secrets.remember(proxies.from[0] ?? 'HTTPS_PROXY', proxy.password);
    return { proxies, fromLoginShell: found !== null && proxies.from.length > 0 };
  }
}

/** Judges what would be stored, before it is. Errors: invalid_request with the field and its remedy. */
export const checkNetworkSettings = (next: Settings): Fault | null => {
  if (next.proxyAddress !== '') {
    const parsed = parseProxyAddress(next.proxyAddress);
    if (!parsed.ok) return { ...parsed.error, field: '/proxyAddress' };
    if (parsed.value.user !== '' || parsed.value.password !== '') return fault('invalid_request', 'The address of the proxy holds a user name or a password.', { field: '/proxyAddress', remedy: 'Give the address alone; the user name and the password have fields of their own, where the password is sealed.' });
  } else if (next.proxyMode === 'manual') return fault('invalid_request', 'A proxy of your own needs its address.', { field: '/proxyAddress', remedy: 'Give its address, such as http://proxy.example:3128, or choose another mode.' });
  if (next.npmRegistry !== '') {
    const why = registryMisfit(next.npmRegistry);
    if (why !== null) return { ...why, field: '/npmRegistry' };
  }
  const scopes = new Set<string>();
  for (const [at, { scope, registry }] of next.npmScopes.entries()) {
    const why = registryMisfit(registry);
    if (why !== null) return { ...why, field: `/npmScopes/${at}/registry` };
    if (scopes.has(scope)) return fault('invalid_request', `The scope ${scope} has two registries.`, { field: `/npmScopes/${at}/scope`, remedy: 'Keep one of them.' });
    scopes.add(scope);
  }
  return null;
};

const registryMisfit = (text: string): Fault | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const remedy = 'Write it as https://npm.example/. Plain http is taken for this computer alone.';
  if (url === null || url.hostname === '' || url.search !== '' || url.hash !== '') return fault('invalid_request', 'This is no address of a registry.', { remedy });
  if (url.username !== '' || url.password !== '') return fault('invalid_request', 'The address of the registry holds a user name or a password.', { remedy: 'Give the address alone, and its token in the field for it.' });
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))) return null;
  return fault('invalid_request', url.protocol === 'http:' ? 'A registry over plain http could be read and changed by anyone on the way.' : 'A registry has an https address.', { remedy });
};

