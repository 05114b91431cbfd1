import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHost } from './start-host.ts';
import type { StartingHost } from './shell/host-port.ts';

const WINDOW = { kind: 'window', canDecide: true } as const;
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'gantry-start-'));
const begin = async (dataDir: string): Promise<StartingHost> => {
  const started = await startHost({ dataDir, shell: 'test', approvals: 'window' });
  if (!started.ok) throw new Error(started.error.message);
  return started.value;
};

test('I45 what is asked before the host is whole is answered once it is, in order, and who listened before hears its events', { timeout: 180_000 }, async () => {
  const host = await begin(newFolder());
  const heard: string[] = [];
  const told: string[] = [];
  host.bus.onAny((name) => heard.push(name));
  const leave = host.bus.onAny((name) => told.push(name));
  leave();
  let answered = false;
  const asked = host.handle('settings:set', { theme: 'dark' }, WINDOW).then((answer) => {
    answered = true;
    return answer;
  });
  const read = host.handle('settings:get', {}, WINDOW);
  await new Promise((resolve) => setImmediate(resolve));
  expect(answered).toBe(false);
  await host.compose();
  expect(await asked).toMatchObject({ ok: true });
  expect(await read).toMatchObject({ ok: true, value: { settings: { theme: 'dark' } } });
  expect(heard).toContain('settings:changed');
  expect(told).toEqual([]);
  await host.close();
});

test('I45 the folder is held before the host is whole: another start is refused by name; a start that is given up gives it free', { timeout: 180_000 }, async () => {
  const dataDir = newFolder();
  const first = await begin(dataDir);
  expect(await startHost({ dataDir, shell: 'test', approvals: 'window' })).toMatchObject({ ok: false, error: { code: 'instance_running' } });
  await first.close();
  const second = await begin(dataDir);
  const composing = second.compose();
  await second.close();
  await composing;
  await (await begin(dataDir)).close();
});
