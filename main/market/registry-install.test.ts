import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { silentLog } from '../log.ts';
import { Installer } from './installer.ts';
import { valueOf } from './installer.fixture.ts';
import { plainWay } from '../network/plain-network.fixture.ts';
import { readNpmConfig } from './npm-config.ts';

test("M54 with the user's own registry: install, tamper, restore, and the two ways of not being there", { timeout: 120_000 }, async (context) => {
  const installer = new Installer({ dataDir: mkdtempSync(join(tmpdir(), 'gantry-registry-')), clock: systemClock, log: silentLog, way: plainWay(readNpmConfig()) });
  const install = (name: string, version: string) => installer.install({ serverId: 'app', spec: { kind: 'npm', package: name, version } });
  const result = await install('semver', '7.7.1');
  if (!result.ok && result.error.code === 'network_failed') return context.skip('the package registry cannot be reached from here');
  const installation = valueOf(result);
  expect(installation).toMatchObject({ version: '7.7.1', integrity: 'sha512-hlq8tAfn0m/61p4BVRcPzIGr6LKiMwo4VM6dGi6pt4qcRkmNzTcWq6eCEjEh+qXjkMDvPlOFFSGwQjoEa6gyMA==' });
  const before = readFileSync(installation.entry, 'utf8');
  writeFileSync(installation.entry, 'evil()');
  expect(valueOf(await installer.verify(installation)).restored).toEqual(['node_modules/semver/bin/semver.js']);
  expect(readFileSync(installation.entry, 'utf8')).toBe(before);
  expect(await install('semver', '0.0.0-none')).toMatchObject({ ok: false, error: { code: 'package_not_found', field: 'spec.version' } });
  expect(await install('@gantry-no-such-scope/no-such-package', 'latest')).toMatchObject({ ok: false, error: { code: 'package_not_found', field: 'spec.package' } });
});
