import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { silentLog } from '../log.ts';
import { Installer } from './installer.ts';
import { valueOf } from './installer.fixture.ts';
import { openProbe } from './stdio-probe.ts';

/** Longest time the calling thread was held, in ms, while `work` ran. */
const longestHold = async (work: () => Promise<unknown>): Promise<number> => {
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 5);
    last = performance.now();
  }, 5);
  await work();
  clearInterval(timer);
  return longest;
};

test('M54 the reference servers install at the same time, start, survive tampering, and leave nothing; the host thread is not held', { timeout: 180_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-registry-'));
  const installer = new Installer({ dataDir, clock: systemClock, log: silentLog });
  const apps = ['server-everything', 'server-filesystem', 'server-memory'];
  const held = await longestHold(async () => {
    await Promise.all(
      apps.map(async (name) => {
        const installation = valueOf(await installer.install({ serverId: name, spec: { kind: 'npm', package: `@modelcontextprotocol/${name}`, version: '2026.8.31' } }));
        const victim = join(dirname(installation.dir), name, 'node_modules', 'zod', 'package.json');
        const good = readFileSync(victim);
        writeFileSync(victim, '{}');
        rmSync(join(installation.dir, 'node_modules', '@modelcontextprotocol', 'sdk'), { recursive: true, force: true });
        const report = valueOf(await installer.verify(installation));
        expect(report.restored).toContain('node_modules/zod/package.json');
        expect(readFileSync(victim)).toEqual(good);
        const home = join(dataDir, 'homes', name);
        mkdirSync(home, { recursive: true });
        const probe = openProbe({ command: process.execPath, args: [installation.entry, ...(name === 'server-filesystem' ? [home] : [])], cwd: home, env: { HOME: home, MEMORY_FILE_PATH: join(home, 'memory.jsonl') } });
        expect((await probe.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } })).result).toHaveProperty('serverInfo');
        probe.notify('notifications/initialized');
        expect(((await probe.request('tools/list')).result?.['tools'] as unknown[]).length).toBeGreaterThan(5);
        await probe.close();
        await installer.uninstall(installation, { home: true });
      }),
    );
  });
  expect(held).toBeLessThan(500);
});
