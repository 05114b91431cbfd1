import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalRegistry } from '../../e2e/fixtures/local-registry.ts';
import type { Installation } from '../../shared/server.ts';
import type { Result } from '../../shared/result.ts';
import { systemClock } from '../clock.ts';
import { silentLog } from '../log.ts';
import { Installer } from './installer.ts';
import type { InstallRequest } from './installer.ts';
import { plainWay } from '../network/plain-network.fixture.ts';

/** An installer on an empty data folder that knows the local registry only, for tests. */
export const openInstaller = (registry: LocalRegistry, dataDir = mkdtempSync(join(tmpdir(), 'gantry-install-'))) => {
  const installer = new Installer({ dataDir, clock: systemClock, log: silentLog, way: plainWay({ registry: registry.url, fetchRetries: 0, timeout: 60_000 }) });
  const install = (name: string, more: Partial<InstallRequest> & { readonly version?: string } = {}): Promise<Result<Installation>> =>
    installer.install({ serverId: 'app', ...more, spec: { kind: 'npm', package: name, ...(more.version === undefined ? {} : { version: more.version }) } });
  /** every path in the data folder that could be a remainder */
  const left = (): string[] => (existsSync(dataDir) ? readdirSync(dataDir, { recursive: true }).map(String) : []).filter((path) => !/^(?:apps|homes)$/.test(path)).toSorted();
  return { installer, dataDir, install, left };
};

export const valueOf = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};

/** A small server with one dependency, as most apps are: enough files to damage. */
export const publishApp = (registry: LocalRegistry, version = '1.0.0', text = `console.log('app ${version}')\n`): string => {
  registry.publish({ name: 'app-dep', version: '1.0.0', manifest: { main: 'index.js' }, files: { 'index.js': 'module.exports = 1\n', 'lib/deep.js': 'module.exports = 2\n' } });
  return registry.publish({ name: 'app', version, manifest: { bin: 'cli.js', dependencies: { 'app-dep': '1.0.0' } }, files: { 'cli.js': { text: `#!/usr/bin/env node\n${text}`, executable: true }, 'README.md': '# app\n' } });
};
