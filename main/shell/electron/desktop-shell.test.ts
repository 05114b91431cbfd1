import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askHost } from '../command-channel/ask-host.ts';
import { ended, openRecordedElectron, type RecordedShell } from '../shell-under-test.ts';

// several whole hosts are started: a busy machine is no failure

interface Desktop {
  readonly tray: readonly { readonly image: string; readonly tooltip: string; readonly items: readonly string[]; readonly destroyed: boolean }[];
  readonly notifications: readonly { readonly title: string; readonly body: string; readonly actions: readonly unknown[]; readonly closed: boolean }[];
  readonly menu: readonly unknown[];
  readonly boxes: readonly { readonly message: string; readonly detail: string; readonly buttons: readonly string[]; readonly defaultId: number; readonly cancelId: number }[];
  readonly badge: number;
  readonly windows: readonly { readonly visible: boolean; readonly focused: boolean; readonly destroyed: boolean; readonly bounds: { readonly x: number; readonly y: number } }[];
  readonly loaded: number;
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'gantry-desktop-'));
const look = (shell: RecordedShell): Promise<Desktop> => shell.act<Desktop>('desktop');
const value = async <T>(shell: RecordedShell, name: string, input: object): Promise<T> => {
  const answer = await shell.request(name, input);
  if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`);
  return answer.value as T;
};
/** A call of the environment app that waits for a person: an ordinary rule asks. */
const awaitApproval = async (shell: RecordedShell): Promise<string> => {
  const tried = await value<{ approvalId: string }>(shell, 'calls:try', { capabilityId: 'mcp:environment:tool:get_versions', input: {} });
  return tried.approvalId;
};
const openWithRule = async (dataDir: string): Promise<RecordedShell> => {
  const shell = await openRecordedElectron(dataDir);
  await value(shell, 'servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  await value(shell, 'servers:connect', { serverId: 'environment' });
  await shell.act('input', 'mouseDown');
  await value(shell, 'rules:add', { effect: 'ask', serverId: 'environment' });
  return shell;
};

let shell: RecordedShell;
beforeAll(async () => {
  shell = await openWithRule(newFolder());
});
afterAll(async () => {
  await shell?.act('answerBoxes', 1);
  await shell?.act('quit');
  await ended(shell.child);
});

test('W05 an approval is told while nobody looks; a click opens it in the window, and nothing there can decide', async () => {
  await shell.act('blur');
  const approvalId = await awaitApproval(shell);
  await expect.poll(async () => (await look(shell)).notifications.length).toBe(1);
  const [told] = (await look(shell)).notifications;
  expect(told).toMatchObject({ title: 'An approval awaits you', actions: [], closed: false });
  await shell.act('clickNotification', 0);
  expect(await value(shell, 'shell:takePlace', {})).toEqual({ place: { kind: 'approval', approvalId } });
  expect(await value(shell, 'shell:takePlace', {})).toEqual({ place: null });
  // the click brought the window to the front, which takes the notification back; the approval waits as before
  expect((await look(shell)).notifications[0]?.closed).toBe(true);
  expect(await value(shell, 'approvals:get', { approvalId })).toMatchObject({ approval: { state: 'pending' } });
});

test('W01 the tray and the dock count what waits; Stop all is one press, and can be taken back', async () => {
  await expect.poll(async () => (await look(shell)).tray[0]?.items).toEqual(['1 approval awaits you', '-', 'Open Gantry', 'Stop all calls', '-', 'Quit Gantry']);
  const { tray, badge } = await look(shell);
  expect([badge, tray[0]?.image]).toEqual([1, expect.stringContaining('tray-light-waiting.png')]);
  await shell.act('pressTray', '1 approval awaits you');
  expect(await value(shell, 'shell:takePlace', {})).toEqual({ place: { kind: 'approvals' } });
  await shell.act('pressTray', 'Stop all calls');
  await expect.poll(async () => (await look(shell)).tray[0]?.items).toContain('Let calls go on');
  expect(await value(shell, 'health:status', {})).toMatchObject({ stopped: true });
  await shell.act('pressTray', 'Let calls go on');
  await expect.poll(async () => (await look(shell)).tray[0]?.items).toContain('Stop all calls');
});

test('W02 a changed language changes tray and menu at once', async () => {
  await value(shell, 'settings:set', { language: 'zh' });
  await expect.poll(async () => (await look(shell)).tray[0]?.items).toContain('退出 Gantry');
  expect(JSON.stringify((await look(shell)).menu)).toContain('全选');
  await value(shell, 'settings:set', { language: 'en' });
  await expect.poll(async () => (await look(shell)).tray[0]?.items).toContain('Quit Gantry');
});

test('W07 a second start shows the window and hands over its link; its other arguments do nothing', async () => {
  const before = (await look(shell)).windows.length;
  await shell.act('blur');
  await shell.act('secondStart', '/opt/gantry', '--approvals=script', '--', '--lang', 'zh');
  await expect.poll(async () => (await look(shell)).windows.at(-1)?.focused).toBe(true);
  expect(await value(shell, 'shell:takePlace', {})).toEqual({ place: null });
  expect(await value(shell, 'settings:get', {})).toMatchObject({ settings: { language: 'en' } });
  await shell.act('secondStart', '/opt/gantry', 'gantry://install?command=sh');
  expect(await value(shell, 'shell:takePlace', {})).toMatchObject({ place: { kind: 'link', text: 'gantry://install?command=sh' } });
  expect((await look(shell)).windows).toHaveLength(before);
});

test('W08 a link adds, connects and decides nothing, whatever it says', async () => {
  const state = async () => [await value(shell, 'servers:list', {}), await value(shell, 'approvals:list', {}), await value(shell, 'rules:list', {}), await value(shell, 'settings:get', {})];
  const before = JSON.stringify(await state());
  for (const link of ['gantry://install?name=x&config=%7B%22command%22%3A%22sh%22%7D', 'gantry://approvals/decide?decision=approve', 'gantry://servers/environment/remove', `gantry://x?${'a'.repeat(100_000)}`]) await shell.act('openUrl', link);
  expect(JSON.stringify(await state())).toBe(before);
  expect(await value(shell, 'shell:takePlace', {})).toEqual({ place: { kind: 'link', text: null, length: 100_011 } });
});

test('W09 a window that crashes is loaded again, then asked about; the host and its servers go on', async () => {
  const status = async () => value<{ startedAt: number; servers: { ready: number } }>(shell, 'health:status', {});
  const { startedAt } = await status();
  const { loaded } = await look(shell);
  for (let n = 0; n < 3; n += 1) await shell.act('crash', 'crashed');
  await expect.poll(async () => (await look(shell)).loaded).toBe(loaded + 3);
  expect((await look(shell)).boxes).toEqual([]);
  await shell.act('answerBoxes', 1);
  await shell.act('crash', 'crashed');
  await expect.poll(async () => (await look(shell)).loaded).toBe(loaded + 4);
  expect((await look(shell)).boxes[0]).toMatchObject({ message: expect.stringContaining('stopped several times'), buttons: ['Leave it closed', 'Open again'] });
  expect(await status()).toMatchObject({ startedAt, servers: { ready: 1 } });
  await shell.act('answerBoxes', 0);
});

test('W10 quitting asks while an approval waits; no keeps everything', async () => {
  await awaitApproval(shell);
  const asked = (await look(shell)).boxes.length;
  await shell.act('quit');
  await expect.poll(async () => (await look(shell)).boxes.length).toBe(asked + 1);
  expect((await look(shell)).boxes.at(-1)).toMatchObject({ message: 'Quit Gantry?', buttons: ['Stay', 'Quit'], defaultId: 0, cancelId: 0, detail: expect.stringContaining('Nothing is sent') });
  expect(await value(shell, 'health:ready', {})).toEqual({ ready: true });
  await shell.act('closeWindow');
  await expect.poll(async () => (await look(shell)).boxes.length).toBe(asked + 2);
  expect((await look(shell)).windows.at(-1)?.destroyed).toBe(false);
});

test('W11 with the setting, closing hides the window and says so once; the tray brings it back', async () => {
  await value(shell, 'settings:set', { closeToTray: true });
  const before = (await look(shell)).boxes.length;
  await shell.act('closeWindow');
  await expect.poll(async () => (await look(shell)).boxes.length).toBe(before + 1);
  expect((await look(shell)).boxes.at(-1)).toMatchObject({ message: 'Gantry goes on in the tray' });
  expect((await look(shell)).windows.at(-1)).toMatchObject({ visible: false, destroyed: false });
  await shell.act('pressTray', 'Open Gantry');
  await expect.poll(async () => (await look(shell)).windows.at(-1)?.visible).toBe(true);
  await shell.act('closeWindow');
  expect((await look(shell)).boxes).toHaveLength(before + 1);
  expect(await value(shell, 'settings:get', {})).toMatchObject({ settings: { closeToTrayExplained: true } });
});

test('W14 W13 the window opens where it was left, and nobody is asked when the system shuts down', async () => {
  const folder = newFolder();
  const first = await openWithRule(folder);
  await awaitApproval(first);
  await first.act('move', 40, 60);
  await expect.poll(() => JSON.parse(readFileSync(join(folder, 'window.json'), 'utf8')) as unknown).toMatchObject({ bounds: { x: 40, y: 60 } });
  expect(await first.act('systemEnds')).toBe(true);
  expect(await ended(first.child)).toBe(0);
  expect(await askHost(folder, { kind: 'rpc', name: 'health:ready', input: {} })).toBeNull();
  const second = await openRecordedElectron(folder);
  expect((await look(second)).windows[0]?.bounds).toMatchObject({ x: 40, y: 60 });
  // the approval waits on: this end asks, and is answered
  await second.act('answerBoxes', 1);
  await second.close();
});

test('W15 the gantry command opens a link in the running window', async () => {
  const folder = newFolder();
  const other = await openRecordedElectron(folder);
  expect(await askHost(folder, { kind: 'open', link: 'gantry://market/filesystem' })).toMatchObject({ ok: true });
  expect(await value(other, 'shell:takePlace', {})).toMatchObject({ place: { kind: 'link', text: 'gantry://market/filesystem' } });
  await other.close();
});

test('W16 from the sources there is a tray and notifications, but neither a start with the session nor updates', async () => {
  expect(await value(shell, 'shell:get', {})).toEqual({ shell: { kind: 'electron', can: { closeToTray: true, notify: true, launchAtLogin: false, update: false, openFolder: true }, launchAtLogin: false, updateFeed: null, update: { phase: 'none', reason: 'not_packaged' } } });
  for (const [name, input] of [['updates:check', {}], ['updates:download', {}], ['updates:restart', {}], ['shell:setLaunchAtLogin', { on: true }]] as const) {
    const answer = await shell.request(name, input);
    expect([name, answer]).toMatchObject([name, { ok: false, error: { code: name === 'updates:restart' ? 'conflict' : 'not_in_this_shell' } }]);
  }
});
