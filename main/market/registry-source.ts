import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Network } from '../network/network.ts';
import { parseProxyAddress, type ProxyAddress } from '../network/proxy-address.ts';
import { parseBypass, type OutboundConfig } from '../network/proxy-route.ts';
import type { RegistryOptions } from './npm-config.ts';

/** The key under which npm's client looks for what signs in at a registry: its address without the protocol. */
const nerfDart = (registry: string): string => {
  const url = new URL(registry);
  return `//${url.host}${url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`}`;
};

const withSlash = (registry: string): string => (registry.endsWith('/') ? registry : `${registry}/`);

/**
 * npm's configuration with the person's mirror over it. A token of Gantry's own goes to the mirror it was given for; what `.npmrc` has for other registries stays with
 * those. Errors: those of the secret store, where the token is locked away.
 */
export const registryOptions = (npm: RegistryOptions, settings: Pick<Settings, 'npmRegistry' | 'npmScopes'>, token: Result<string | null, Fault>): Result<RegistryOptions, Fault> => {
  const options: Record<string, unknown> = { ...npm };
  for (const { scope, registry } of settings.npmScopes) options[`${scope}:registry`] = withSlash(registry);
  if (settings.npmRegistry === '') return ok(options);
  options['registry'] = withSlash(settings.npmRegistry);
  if (!token.ok) return err(token.error);
  if (token.value !== null) options[`${nerfDart(settings.npmRegistry)}:_authToken`] = token.value;
  return ok(options);
};

/** How packages are fetched: npm's options, and the connections under them. Holds credentials. */
export interface RegistryWay {
  readonly registry: RegistryOptions;
  readonly network: OutboundConfig;
}

const proxyOf = (value: unknown): Result<ProxyAddress | null, Fault> => {
  if (typeof value !== 'string' || value === '') return ok(null);
  return parseProxyAddress(value);
};

/** The way to the registry: as npm does, its own configuration goes before the environment's proxies. A proxy that was set in Gantry, or switched off there, goes before both. */
const registryNetwork = async (npm: RegistryOptions, network: Pick<Network, 'config'>, mode: Settings['proxyMode']): Promise<OutboundConfig> => {
  const config = await network.config();
  if (mode !== 'system') return config;
  const [http, https] = [proxyOf(npm['proxy']), proxyOf(npm['httpsProxy'] ?? npm['proxy'])];
  const bad = !http.ok ? http.error : !https.ok ? https.error : null;
  if (bad !== null) return { ...config, problem: fault('invalid_request', `npm's configuration names a proxy that Gantry cannot use: ${bad.message}`, { field: 'proxy', remedy: 'Mend it in your .npmrc, or set the proxy under Settings, Network.' }) };
  const own = { http: http.ok ? http.value : null, https: https.ok ? https.value : null };
  const bypass = typeof npm['noProxy'] === 'string' ? parseBypass(npm['noProxy']) : config.bypass;
  if (own.http === null && own.https === null) return config;
  return { ...config, proxies: { http: own.http ?? config.proxies.http, https: own.https ?? config.proxies.https }, bypass, problem: null };
};

/** What an installation uses now. Errors: those of the secret store. */
export const registryWay = async (npm: RegistryOptions, settings: Settings, network: Pick<Network, 'config' | 'token'>): Promise<Result<RegistryWay, Fault>> => {
  const registry = registryOptions(npm, settings, network.token());
  return registry.ok ? ok({ registry: registry.value, network: await registryNetwork(npm, network, settings.proxyMode) }) : registry;
};
