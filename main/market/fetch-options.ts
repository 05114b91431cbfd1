import { join } from 'node:path';
import type { ConnectionOptions } from '../network/open-connection.ts';
import { setByPerson, type AddressGuard } from '../network/address-guard.ts';
import { Outbound, type ContactNote } from '../network/outbound.ts';
import type { OutboundConfig } from '../network/proxy-route.ts';
import type { RegistryOptions } from './npm-config.ts';

/** Of npm's options those about the way: connections are made by Gantry's own module, so the rest is what npm's client needs. */
const OF_THE_WAY = ['proxy', 'httpsProxy', 'noProxy', 'ca', 'cert', 'key', 'localAddress', 'strictSSL'] as const;

const asList = (value: unknown): readonly string[] | undefined => (Array.isArray(value) ? (value as string[]) : typeof value === 'string' ? [value] : undefined);
const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Whom npm's configuration trusts instead of the built-in roots, and the certificate it shows. */
export const npmTls = (registry: RegistryOptions): ConnectionOptions['tls'] => ({ ca: asList(registry['ca']), cert: asText(registry['cert']), key: asText(registry['key']) });

/** Of the list of a package's versions, decoded; the longest there are have 20 MB. */
const LIST_CAP_BYTES = 128 * 1024 * 1024;

/** The registries that the person set, and where these say that files lie: in the company's own network only where one was set. Without one, npm's own registry is a public place like another. */
const registryGuard = (registry: RegistryOptions): AddressGuard => {
  const set = Object.entries(registry).flatMap(([key, value]) => (typeof value === 'string' && (key === 'registry' || /^@[^:]+:registry$/.test(key)) ? [value] : []));
  return setByPerson(set, set.length === 0 ? 'public' : 'lan');
};

/** Options for everything that is fetched: by our own connections, no git, no folders (both could run code or read the disk), nothing from caches outside. */
export const fetchOptions = (registry: RegistryOptions, cacheDir: string, network: OutboundConfig, onContact?: (note: ContactNote) => void): Record<string, unknown> => {
  const outbound = new Outbound({ config: () => Promise.resolve(network), onContact });
  const rest = Object.fromEntries(Object.entries(registry).filter(([key]) => !(OF_THE_WAY as readonly string[]).includes(key)));
  return {
    ...rest,
    agent: outbound.agents('npm', { guard: registryGuard(registry), tls: npmTls(registry), capBytes: LIST_CAP_BYTES }),
    cache: cacheDir,
    tufCache: join(cacheDir, '_tuf'),
    allowGit: 'none',
    allowFile: 'none',
    allowDirectory: 'none',
    ignoreScripts: true,
  };
};
