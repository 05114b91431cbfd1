import { posix, win32 } from 'node:path';
import type { ImportHost } from '../../../shared/import.ts';

/** A file that one program keeps its MCP settings in. */
export interface HostPlace {
  readonly host: ImportHost;
  readonly path: string;
  /** `own`: a file of MCP settings alone; `settings`: all settings of the program */
  readonly kind: 'own' | 'settings';
  readonly format: 'json' | 'toml';
  /** each folder in this one may hold a file of this name (profiles) */
  readonly inEach?: string;
}

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Editors built on VS Code, by the name of their folder. */
const EDITORS: readonly (readonly [ImportHost, string])[] = [['vscode', 'Code'], ['vscode', 'Code - Insiders'], ['vscode', 'VSCodium']];
const CLINE = ['globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json'] as const;

/**
 * Where each program keeps its MCP settings on Linux, macOS and Windows. The source of each line is in docs/spec/import.md, "Formats". Pure; nothing is looked up.
 */
export const hostPlaces = ({ platform, home, env }: Machine): readonly HostPlace[] => {
  const windows = platform === 'win32';
  const { join } = windows ? win32 : posix;
  const set = (name: string): string | undefined => (env[name] === undefined || env[name] === '' ? undefined : env[name]);
  const roaming = set('APPDATA') ?? join(home, 'AppData', 'Roaming');
  const config = windows ? roaming : platform === 'darwin' ? join(home, 'Library', 'Application Support') : (set('XDG_CONFIG_HOME') ?? join(home, '.config'));
  const own = (host: ImportHost, ...path: readonly string[]): HostPlace => ({ host, path: join(...path), kind: 'own', format: 'json' });
  const settings = (host: ImportHost, ...path: readonly string[]): HostPlace => ({ host, path: join(...path), kind: 'settings', format: 'json' });
  const zed = windows ? join(roaming, 'Zed') : platform === 'darwin' ? join(home, '.config', 'zed') : join(set('XDG_CONFIG_HOME') ?? join(home, '.config'), 'zed');
  return [
    settings('claude-desktop', config, 'Claude', 'claude_desktop_config.json'),
    settings('claude-code', set('CLAUDE_CONFIG_DIR') ?? home, '.claude.json'),
    ...EDITORS.flatMap(([host, folder]): HostPlace[] => [
      own(host, config, folder, 'User', 'mcp.json'),
      { ...own(host, config, folder, 'User', 'profiles'), inEach: 'mcp.json' },
      settings(host, config, folder, 'User', 'settings.json'),
    ]),
    own('cursor', home, '.cursor', 'mcp.json'),
    own('windsurf', home, '.codeium', 'windsurf', 'mcp_config.json'),
    own('windsurf', home, '.codeium', 'mcp_config.json'),
    own('cline', home, '.cline', 'data', 'settings', 'cline_mcp_settings.json'),
    ...['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'].map((folder) => own('cline', config, folder, 'User', ...CLINE)),
    { ...settings('codex', set('CODEX_HOME') ?? join(home, '.codex'), 'config.toml'), format: 'toml' },
    settings('zed', zed, 'settings.json'),
    settings('gemini-cli', home, '.gemini', 'settings.json'),
    own('lm-studio', home, '.lmstudio', 'mcp.json'),
    own('copilot-cli', set('COPILOT_HOME') ?? join(home, '.copilot'), 'mcp-config.json'),
  ];
};
