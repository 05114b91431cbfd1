import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import type { Settings } from '../../shared/settings.ts';
import { writeFileAtomically } from '../market/write-file-atomically.ts';
import { wholeProxy } from './proxy-address.ts';
import type { OutboundConfig } from './proxy-route.ts';

export interface AppEnvironmentInput {
  readonly settings: Pick<Settings, 'proxyForApps' | 'certificateForApps'>;
  /** asked only where an app gets something: it may have to ask the login shell for the proxies */
  readonly config: () => Promise<OutboundConfig>;
  readonly dataDir: string;
  /** run by the Node that Gantry brings, which reads NODE_EXTRA_CA_CERTS and adds it to its own roots */
  readonly onOwnNode: boolean;
  readonly hostEnv?: Readonly<Record<string, string | undefined>>;
}

const same = (path: string, text: string): boolean => {
  try {
    return readFileSync(path, 'utf8') === text;
  } catch {
    return false;
  }
};

const put = async (dataDir: string, name: string, pems: readonly string[]): Promise<string> => {
  const path = join(dataDir, 'network', name);
  const text = `${pems.map((pem) => pem.trim()).join('\n')}\n`;
  if (same(path, text)) return path;
  mkdirSync(join(dataDir, 'network'), { recursive: true, mode: 0o700 });
  await writeFileAtomically(path, text, 0o600);
  return path;
};

/** The roots that such a program has now: those of the file that the system names, else the built-in ones. */
const rootsOf = (file: string | undefined): readonly string[] => {
  try {
    if (file) return [readFileSync(file, 'latin1')];
  } catch {
    // a file that is not there holds no roots
  }
  return getCACertificates('default');
};

const proxyVariables = ({ proxies, bypass }: OutboundConfig): Record<string, string> => {
  const values: readonly (readonly [string, string])[] = [
    ...(proxies.http === null ? [] : [['http_proxy', wholeProxy(proxies.http)] as const]),
    ...(proxies.https === null ? [] : [['https_proxy', wholeProxy(proxies.https)] as const]),
    // this computer is not reached through a proxy by apps either
    ...(proxies.http === null && proxies.https === null ? [] : [['no_proxy', ['localhost', '127.0.0.1', '::1', ...bypass].join(',')] as const]),
  ];
  return Object.fromEntries(values.flatMap(([name, value]) => [[name, value], [name.toUpperCase(), value]]));
};

/**
 * What an app's process gets of the network settings, each part only where the person allowed it: the proxy with its name and password, and the company's certificate.
 * NODE_EXTRA_CA_CERTS adds to the roots of whatever Node reads it. SSL_CERT_FILE takes the place of all roots where it is read (OpenSSL, Python, Go): programs other
 * than our Node get it with the built-in roots and the company's in one file.
 */
export const appEnvironment = async ({ settings, config: read, dataDir, onOwnNode, hostEnv = process.env }: AppEnvironmentInput): Promise<Record<string, string>> => {
  if (!settings.proxyForApps && !settings.certificateForApps) return {};
  const config = await read();
  const env: Record<string, string> = settings.proxyForApps ? proxyVariables(config) : {};
  if (!settings.certificateForApps || config.extraRoots.length === 0) return env;
  // what the system itself names in NODE_EXTRA_CA_CERTS stays trusted: the variable holds one file
  env['NODE_EXTRA_CA_CERTS'] = await put(dataDir, 'apps-ca.pem', [...config.extraRoots, ...getCACertificates('extra')]);
  if (!onOwnNode) env['SSL_CERT_FILE'] = await put(dataDir, 'all-roots.pem', [...rootsOf(hostEnv['SSL_CERT_FILE']), ...config.extraRoots]);
  return env;
};

/** Names that the settings may give an app, for the launch that is shown. */
export const appEnvironmentNames = (settings: Pick<Settings, 'proxyForApps' | 'certificateForApps'>, hasCertificate: boolean, onOwnNode: boolean): readonly string[] => [
  ...(settings.proxyForApps ? ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]) : []),
  ...(settings.certificateForApps && hasCertificate ? ['NODE_EXTRA_CA_CERTS', ...(onOwnNode ? [] : ['SSL_CERT_FILE'])] : []),
];
