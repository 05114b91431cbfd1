import { fault, type Fault } from '../../shared/fault.ts';
import { OUTBOUND_PURPOSES, type OutboundPurpose } from '../../shared/outbound.ts';
import type { NetworkStatus } from '../../shared/network.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Clock } from '../clock.ts';
import { fetchOptions, npmTls } from '../market/fetch-options.ts';
import type { RegistryOptions } from '../market/npm-config.ts';
import { registryOptions, type RegistryWay } from '../market/registry-source.ts';
import { setByPerson } from '../network/address-guard.ts';
import type { Network } from '../network/network.ts';
import { shownUrl, tryConnection, type Answer } from '../network/try-connection.ts';
import type { Store } from '../store/database.ts';
import { readEmbeddings } from '../store/embeddings.ts';
import { listModels } from '../store/models.ts';
import { readSignIn } from '../store/sign-ins.ts';
import { listServers } from '../store/servers.ts';
import type { HandlersOf } from './handlers.ts';

export interface NetworkRequestsDeps {
  readonly network: Network;
  readonly clock: Clock;
  readonly store: Store;
  readonly settings: () => Settings;
  readonly npmConfig: () => RegistryOptions;
  readonly way: () => Promise<Result<RegistryWay, Fault>>;
  /** where updates are looked for; null where this Gantry does not update itself */
  readonly updateFeed: () => string | null;
  readonly closing: AbortSignal;
}

const withoutLogin = (address: string): string => (URL.canParse(address) ? shownUrl(new URL(address)) : address);

export const networkRequests = (deps: NetworkRequestsDeps): HandlersOf<'network'> => {
  const { network, settings } = deps;
  const registry = async (): Promise<NetworkStatus['npm']> => {
    const npm = deps.npmConfig();
    const options = registryOptions(npm, settings(), ok(null));
    const { pickRegistry } = await npmClient();
    const picked = pickRegistry('gantry', options.ok ? { ...options.value } : {});
    const from = settings().npmRegistry !== '' ? 'settings' : npm['registry'] === undefined ? 'default' : 'npm_configuration';
    return { registry: withoutLogin(picked), from, scopes: scopesOf(options.ok ? options.value : {}), tokenSet: network.has('token') };
  };
  const status = async (): Promise<{ network: NetworkStatus }> => ({
    network: { proxy: await network.proxyStatus(), certificate: network.certificate.about, certificateProblem: network.certificate.problem, npm: await registry() },
  });
  const answered = async (done: Result<unknown, Fault>): Promise<Result<{ network: NetworkStatus }, Fault>> => (done.ok ? ok(await status()) : done);

  return {
    'network:get': async () => ok(await status()),
    'network:setPassword': ({ password }) => {
      if (password !== null && settings().proxyAddress === '') return err(fault('conflict', 'There is no proxy of your own that the password could be for.', { field: '/password', remedy: 'Set the address of the proxy first.', details: { state: 'no_proxy' } }));
      return answered(network.setSecret('password', password));
    },
    'network:setToken': ({ token }) => {
      if (token !== null && settings().npmRegistry === '') return err(fault('conflict', 'There is no npm mirror that the token could be for.', { field: '/token', remedy: 'Set the address of the mirror first.', details: { state: 'no_mirror' } }));
      return answered(network.setSecret('token', token));
    },
    'network:setCertificate': async (source) => {
      const done = await network.certificate.set(source, deps.clock.now());
      if (done.ok) network.changed();
      return answered(done);
    },
    'network:removeCertificate': async () => {
      network.certificate.remove();
      network.changed();
      return ok(await status());
    },
    'network:test': async ({ what, address }) => {
      const common = { companyFingerprints: network.certificate.about?.certificates.map(({ fingerprint }) => fingerprint) ?? [], signal: deps.closing, monotonic: () => deps.clock.monotonic() };
      if (what !== 'npm' && address !== undefined) {
        const config = await network.config();
        return ok({ test: await tryConnection({ ...common, url: new URL(address), config, guard: setByPerson([address]), outbound: network.outbound, ask: (url) => askAddress(url, network) }) });
      }
      const way = await deps.way();
      if (!way.ok) return way;
      const config = way.value.network;
      return ok({ test: await tryConnection({ ...common, url: new URL((await registry()).registry), config, guard: setByPerson([(await registry()).registry]), outbound: network.outbound.over(config), tls: npmTls(way.value.registry), ask: () => askRegistry(way.value, network) }) });
    },
    'network:addresses': async () => {
      const { registry: main, scopes } = await registry();
      const addresses: Readonly<Record<OutboundPurpose, readonly string[]>> = {
        npm: [main, ...scopes.map((one) => one.registry)],
        remote_server: deps.store.read(listServers).flatMap(({ spec }) => (spec.kind === 'http' ? [withoutLogin(spec.url)] : [])),
        sign_in: deps.store.read((db) => listServers(db).flatMap(({ id }) => (({ account }) => (account === null ? [] : [account.issuer]))(readSignIn(db, id)))),
        server_icon: [],
        model: deps.store.read(listModels).map((model) => withoutLogin(model.baseUrl)),
        embeddings: ((row) => (row === null ? [] : [withoutLogin(row.baseUrl)]))(deps.store.read(readEmbeddings)),
        update: ((feed) => (feed === null ? [] : [withoutLogin(feed)]))(deps.updateFeed()),
        connection_test: [],
      };
      return ok({ addresses: OUTBOUND_PURPOSES.map((purpose) => ({ purpose, addresses: [...new Set(addresses[purpose])] })), contacted: [...network.contacts.all()] });
    },
  };
};

/** Loaded by the first that asks: it is npm's client with all it needs. */
const npmClient = async (): Promise<typeof import('npm-registry-fetch')> => (await import('npm-registry-fetch')).default;

const scopesOf = (options: RegistryOptions): NetworkStatus['npm']['scopes'] =>
  Object.entries(options).flatMap(([key, value]) => {
    const scope = /^(@[^:]+):registry$/.exec(key)?.[1];
    return scope === undefined || typeof value !== 'string' ? [] : [{ scope, registry: withoutLogin(value) }];
  });

/** npm's own client with npm's own ping: what signs in and what an installation would meet. */
const askRegistry = async ({ registry, network: config }: RegistryWay, network: Network): Promise<Answer> => {
  const npmFetch = await npmClient();
  const options = { ...fetchOptions(registry, '', config, (note) => network.contacts.note({ ...note, purpose: 'connection_test' })), cache: undefined, fetchRetries: 0, retry: { retries: 0 }, timeout: 15_000 };
  try {
    const answer = await npmFetch('/-/ping', options as never);
    return { ok: true, facts: { status: answer.status, ping: true }, fault: null };
  } catch (error) {
    const status = (error as { statusCode?: unknown }).statusCode;
    if (typeof status !== 'number') throw error;
    // a registry that answers but has no ping serves packages all the same
    if (status === 404 || status === 405) return { ok: true, facts: { status, ping: false }, fault: null };
    const signIn = status === 401 || status === 403;
    return {
      ok: false,
      facts: { status },
      fault: fault('network_failed', `The registry answered ${status}.`, { remedy: signIn ? 'Give its token under npm mirror, or put its credentials into your .npmrc.' : 'Ask whoever runs it.', details: { status } }),
    };
  }
};

const askAddress = async (url: URL, network: Network): Promise<Answer> => {
  const client = network.outbound.client('connection_test', { guard: setByPerson([url.origin]), connectMs: 15_000, headersMs: 15_000 });
  try {
    const answer = await client.fetch(url, { method: 'HEAD', redirect: 'manual' });
    if (answer.status !== 407) return { ok: true, facts: { status: answer.status }, fault: null };
    return { ok: false, facts: { status: 407 }, fault: fault('proxy_refused', 'The proxy wants another user name or password (407).', { remedy: 'Set them under Settings, Network.', details: { cause: 'PROXY_SIGN_IN', proxy: null, status: 407 } }) };
  } finally {
    await client.close();
  }
};
