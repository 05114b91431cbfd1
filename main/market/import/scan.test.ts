import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hostPlaces } from './host-places.ts';
import { FILE_LIMIT_BYTES, readSettingsFile } from './read-file.ts';
import { scanMachine } from './scan.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-import-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const paths = (platform: NodeJS.Platform, home: string, env: Record<string, string> = {}) => hostPlaces({ platform, home, env }).map((place) => `${place.host} ${place.path}`);

test('IM52 where each program keeps its settings on Linux, macOS and Windows', () => {
  expect(paths('linux', '/home/u')).toEqual(expect.arrayContaining([
    'claude-desktop /home/u/.config/Claude/claude_desktop_config.json', 'claude-code /home/u/.claude.json', 'vscode /home/u/.config/Code/User/mcp.json', 'vscode /home/u/.config/Code/User/settings.json',
    'cursor /home/u/.cursor/mcp.json', 'windsurf /home/u/.codeium/windsurf/mcp_config.json', 'cline /home/u/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    'cline /home/u/.cline/data/settings/cline_mcp_settings.json', 'codex /home/u/.codex/config.toml', 'zed /home/u/.config/zed/settings.json', 'gemini-cli /home/u/.gemini/settings.json', 'lm-studio /home/u/.lmstudio/mcp.json',
  ]));
  expect(paths('darwin', '/Users/u')).toEqual(expect.arrayContaining(['claude-desktop /Users/u/Library/Application Support/Claude/claude_desktop_config.json', 'vscode /Users/u/Library/Application Support/Code/User/mcp.json', 'zed /Users/u/.config/zed/settings.json', 'cursor /Users/u/.cursor/mcp.json']));
  expect(paths('win32', 'C:\\Users\\u', { APPDATA: 'D:\\Roaming' })).toEqual(expect.arrayContaining(['claude-desktop D:\\Roaming\\Claude\\claude_desktop_config.json', 'vscode D:\\Roaming\\Code\\User\\mcp.json', 'cursor C:\\Users\\u\\.cursor\\mcp.json', 'zed D:\\Roaming\\Zed\\settings.json', 'windsurf C:\\Users\\u\\.codeium\\windsurf\\mcp_config.json']));
  expect(paths('win32', 'C:\\Users\\u')).toContain('claude-desktop C:\\Users\\u\\AppData\\Roaming\\Claude\\claude_desktop_config.json');
  expect(paths('linux', '/home/u', { XDG_CONFIG_HOME: '/x', CODEX_HOME: '/c', CLAUDE_CONFIG_DIR: '/cc' })).toEqual(expect.arrayContaining(['claude-desktop /x/Claude/claude_desktop_config.json', 'codex /c/config.toml', 'claude-code /cc/.claude.json']));
});

test('IM53 only regular files are read, up to a limit; a link out of the home folder is not followed; a pipe is not waited for', async () => {
  const home = join(folder, 'home');
  mkdirSync(home);
  const at = (name: string): string => join(home, name);
  writeFileSync(at('plain.json'), '\uFEFF{}');
  writeFileSync(join(folder, 'outside.json'), '{}');
  symlinkSync(join(folder, 'outside.json'), at('out.json'));
  symlinkSync(at('plain.json'), at('in.json'));
  symlinkSync(at('gone.json'), at('dangling.json'));
  execFileSync('mkfifo', [at('pipe.json')]);
  writeFileSync(at('large.json'), Buffer.alloc(FILE_LIMIT_BYTES + 1, 0x20));
  expect(await readSettingsFile(at('plain.json'), home)).toEqual({ ok: true, value: '{}' });
  expect(await readSettingsFile(at('in.json'), home)).toEqual({ ok: true, value: '{}' });
  expect(await readSettingsFile(at('none.json'), home)).toEqual({ ok: true, value: null });
  expect(await readSettingsFile(at('out.json'), home)).toMatchObject({ error: { code: 'file_unreadable', details: { cause: 'link' } } });
  expect(await readSettingsFile(at('out.json'), null)).toEqual({ ok: true, value: '{}' });
  expect(await readSettingsFile(at('dangling.json'), home)).toMatchObject({ error: { details: { cause: 'link' } } });
  expect(await readSettingsFile(at('pipe.json'), home)).toMatchObject({ error: { details: { cause: 'not_a_file' } } });
  expect(await readSettingsFile(home, null)).toMatchObject({ error: { details: { cause: 'not_a_file' } } });
  expect(await readSettingsFile(at('large.json'), home)).toMatchObject({ error: { code: 'import_too_large' } });
  if (process.getuid?.() !== 0) {
    chmodSync(at('plain.json'), 0);
    expect(await readSettingsFile(at('plain.json'), home)).toMatchObject({ error: { details: { cause: 'permission' } } });
  }
});

test('IM53 a file that cannot be read does not keep the others from being read', async () => {
  mkdirSync(join(folder, '.cursor/mcp.json'), { recursive: true });
  mkdirSync(join(folder, '.lmstudio'));
  writeFileSync(join(folder, '.lmstudio/mcp.json'), '{"mcpServers":{"a":{"command":"x"}}}');
  const sources = await scanMachine({ platform: 'linux', home: folder, env: {} });
  expect(sources.filter((source) => !source.absent)).toMatchObject([{ host: 'cursor', fault: { code: 'file_unreadable' } }, { host: 'lm-studio', servers: [{ name: 'a' }] }]);
});
