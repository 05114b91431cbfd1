import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { silentLog } from '../log.ts';
import { Installer } from './installer.ts';
import { valueOf } from './installer.fixture.ts';
import { openProbe } from './stdio-probe.ts';
import { plainWay } from '../network/plain-network.fixture.ts';
import { readNpmConfig } from './npm-config.ts';

/** How often others had their turn while `work` ran. */
const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 5);
  await work();
  clearInterval(timer);
  return turns;
};

test('M54 the reference servers install at the same time, start, survive tampering, and leave nothing; the host has its turns meanwhile', { timeout: 600_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-registry-'));
  const installer = new Installer({ dataDir, clock: systemClock, log: silentLog, way: plainWay(readNpmConfig()) });
  const apps = ['server-everything', 'server-filesystem', 'server-memory'];
  const turns = await turnsDuring(async () => {
    await Promise.all(
      apps.map(async (name) => {
        const installation = valueOf(await installer.install({ serverId: name, spec: { kind: 'npm', package: `@modelcontextprotocol/${name}`, version: '2026.8.31' } }));
        const victim = join(dirname(installation.dir), name, 'node_modules', 'zod', 'package.json');
        const good = readFileSync(victim);
        writeFileSync(victim, '{}');
        await rm(join(installation.dir, 'node_modules', '@modelcontextprotocol', 'sdk'), { recursive: true, force: true });
        const report = valueOf(await installer.verify(installation));
        expect(report.restored).toContain('node_modules/zod/package.json');
        expect(readFileSync(victim)).toEqual(good);
        const home = join(dataDir, 'homes', name);
        mkdirSync(home, { recursive: true });
        const probe = openProbe({ command: process.execPath, args: [installation.entry, ...(name === 'server-filesystem' ? [home] : [])], cwd: home, env: { HOME: home, MEMORY_FILE_PATH: join(home, 'memory.jsonl') } });
        expect((await probe.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } })).result).toHaveProperty('serverInfo');
        probe.notify('notifications/initialized');
        const { result } = await probe.request('tools/list');
        expect(Array.isArray(result?.['tools']) ? result['tools'].length : 0).toBeGreaterThan(5);
        await probe.close();
        await installer.uninstall(installation, { home: true });
      }),
    );
  });
  expect(turns).toBeGreaterThan(100);
});
