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

/** The most processor time, in ms, that the calling thread used between two turns of a 5 ms timer while `work` ran; unlike wall time it does not grow with the load of the machine. */
const longestHold = async (work: () => Promise<unknown>): Promise<number> => {
  const usedMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let last = usedMs();
  let longest = 0;
  const timer = setInterval(() => {
    longest = Math.max(longest, usedMs() - last);
    last = usedMs();
  }, 5);
  await work();
  clearInterval(timer);
  return longest;
};

test('M54 the reference servers install at the same time, start, survive tampering, and leave nothing; the host thread is not held', { timeout: 180_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-registry-'));
  const installer = new Installer({ dataDir, clock: systemClock, log: silentLog, way: plainWay(readNpmConfig()) });
  const apps = ['server-everything', 'server-filesystem', 'server-memory'];
  const held = await longestHold(async () => {
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
  expect(held, `longest hold ${held} ms of processor time`).toBeLessThan(250);
});
