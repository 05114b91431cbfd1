import { fault, type Fault } from '../../shared/fault.ts';
import { parseProxyAddress, type ProxyAddress } from './proxy-address.ts';
import { parseBypass } from './proxy-route.ts';

/** As programs read them; lower case is looked at first, as curl and npm do. */
export const PROXY_VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY', 'no_proxy', 'NO_PROXY'] as const;

type Environment = Readonly<Record<string, string | undefined>>;

export interface SystemProxies {
  readonly http: ProxyAddress | null;
  readonly https: ProxyAddress | null;
  readonly bypass: readonly string[];
  /** variables that were used, as they are named */
  readonly from: readonly string[];
  readonly problem: Fault | null;
}

const first = (env: Environment, ...names: readonly string[]): { readonly name: string; readonly value: string } | null => {
  for (const lower of names) {
    for (const name of [lower, lower.toUpperCase()]) {
      const value = env[name]?.trim();
      if (value) return { name, value };
    }
  }
  return null;
};

/** Whether an environment says anything about proxies. */
export const namesProxies = (env: Environment): boolean => first(env, 'https_proxy', 'http_proxy', 'all_proxy') !== null;

/**
 * The proxies that an environment names: for https HTTPS_PROXY, then HTTP_PROXY, then ALL_PROXY; for http HTTP_PROXY, then ALL_PROXY. A value that Gantry cannot use is a
 * problem that is told, and never a reason to go straight.
 */
export const systemProxies = (env: Environment): SystemProxies => {
  const from = new Set<string>();
  let problem: Fault | null = null;
  const read = (...names: readonly string[]): ProxyAddress | null => {
    const found = first(env, ...names);
    if (found === null) return null;
    from.add(found.name);
    const parsed = parseProxyAddress(found.value);
    if (parsed.ok) return parsed.value;
    problem ??= fault('invalid_request', `The variable ${found.name} of this system names a proxy that Gantry cannot use: ${parsed.error.message}`, { field: found.name, remedy: 'Set the proxy yourself under Settings, Network, or switch it off there.' });
    return null;
  };
  const https = read('https_proxy', 'http_proxy', 'all_proxy');
  const http = read('http_proxy', 'all_proxy');
  const bypass = first(env, 'no_proxy');
  if (bypass !== null && (http !== null || https !== null)) from.add(bypass.name);
  return { http, https, bypass: parseBypass(bypass?.value ?? ''), from: [...from], problem };
};
