import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, LoginItemSettings, Settings } from 'electron';
import { expect, test } from 'vitest';
import { LaunchAtLogin, autostartEntry, autostartPath } from './launch-at-login.ts';

const item = { on: false, refuse: false, set: [] as Settings[] };
const app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'> = {
  getLoginItemSettings: () => ({ openAtLogin: item.on }) as LoginItemSettings,
  setLoginItemSettings: (settings) => {
    item.set.push(settings);
    if (!item.refuse) item.on = settings.openAtLogin ?? false;
  },
};
const onLinux = (home: string, env: Record<string, string> = {}) => new LaunchAtLogin({ app, platform: 'linux', env, home, execPath: '/opt/Gantry/gantry' });

test('W06 it is off until it is switched on; on Linux an autostart file comes and goes', async () => {
  const home = mkdtempSync(join(tmpdir(), 'gantry-login-'));
  const login = onLinux(home);
  expect(await login.read()).toBe(false);
  expect(await login.set(true)).toMatchObject({ ok: true });
  const path = join(home, '.config', 'autostart', 'gantry.desktop');
  expect(readFileSync(path, 'utf8')).toContain('Exec="/opt/Gantry/gantry" "--hidden"\n');
  expect(await onLinux(home).read()).toBe(true);
  expect(await login.set(false)).toMatchObject({ ok: true });
  expect([existsSync(path), login.on]).toEqual([false, false]);
  expect(await login.set(false)).toMatchObject({ ok: true });
});

test('W06 what the person switched off in the desktop is read as off, and an AppImage starts by its own file', async () => {
  const home = mkdtempSync(join(tmpdir(), 'gantry-login-'));
  const config = join(home, 'cfg');
  mkdirSync(join(config, 'autostart'), { recursive: true });
  const path = autostartPath({ XDG_CONFIG_HOME: config }, home);
  for (const line of ['Hidden=true', 'X-GNOME-Autostart-enabled=false']) {
    writeFileSync(path, `[Desktop Entry]\nExec=gantry\n${line}\n`);
    expect([line, await onLinux(home, { XDG_CONFIG_HOME: config }).read()]).toEqual([line, false]);
  }
  const image = onLinux(home, { XDG_CONFIG_HOME: config, APPIMAGE: '/home/me/Gantry 1.AppImage' });
  await image.set(true);
  expect(readFileSync(path, 'utf8')).toContain('Exec="/home/me/Gantry 1.AppImage" "--hidden"');
  expect(autostartPath({ XDG_CONFIG_HOME: 'relative' }, '/h')).toBe(join('/h', '.config', 'autostart', 'gantry.desktop'));
});

test('W06 a path of any characters stays one argument', () => {
  // Desktop Entry Specification: quoting of an argument, then escaping of the string value
  expect(autostartEntry(['/a b/$(touch x)`"\\%f'])).toContain('Exec="/a b/\\\\$(touch x)\\\\`\\\\"\\\\\\\\%%f"\n');
});

test('W06 a folder that cannot be written is a coded failure with the path', async () => {
  const home = mkdtempSync(join(tmpdir(), 'gantry-login-'));
  writeFileSync(join(home, '.config'), 'a file');
  expect(await onLinux(home).set(true)).toMatchObject({ ok: false, error: { code: 'internal', details: { path: join(home, '.config', 'autostart', 'gantry.desktop') } } });
});

test('W06 macOS and Windows keep it themselves; a refusal of theirs is told', async () => {
  for (const platform of ['darwin', 'win32'] as const) {
    const login = new LaunchAtLogin({ app, platform, env: {}, home: '/h', execPath: '/x' });
    item.on = item.refuse = false;
    expect(await login.set(true)).toMatchObject({ ok: true });
    expect(item.set.at(-1)).toEqual(platform === 'win32' ? { openAtLogin: true, args: ['--hidden'] } : { openAtLogin: true });
    item.refuse = true;
    expect(await login.set(false)).toMatchObject({ ok: false });
    expect(login.on).toBe(true);
  }
});
