import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Installation, Launch } from '../../shared/server.ts';
import { childEnvironment } from './child-environment.ts';
import { checkEnvironmentNames, inheritedEnvironment } from './launch-environment.ts';
import { buildLaunch, type LaunchInput } from './launch.ts';
import { parseProcStat } from './process-identity.ts';
import { taskkillArguments } from './process-group.ts';
import { notAProgram } from './program-kind.ts';
import { findCommand, namesToTry } from './search-path.ts';
import { planSpawn, unquotableArgument } from './spawn-plan.ts';

const installation: Installation = { kind: 'npm', package: 'p', version: '1.0.0', integrity: 'sha512-a', lockSha256: 'l', dir: '/data/apps/srv', entry: 'node_modules/p/index.js', sizeBytes: 1, installedAt: 1, scripts: [] };
const npm: LaunchInput = { server: { id: 'srv', spec: { kind: 'npm', package: 'p', args: ['--a'] }, args: ['--b'], env: { MODE: { plain: 'prod' }, KEY: { secretRef: 'ref-1' } }, headers: {}, placeholders: null, home: 'own' }, installation, dataDir: '/data', hostNode: '/opt/node', hostEnv: { PATH: '/bin', HOME: '/home/u', AWS_SECRET: 'x' }, userHome: '/home/u' };
const command: LaunchInput = { ...npm, installation: null, server: { ...npm.server, spec: { kind: 'command', command: 'tool', args: ['x'] }, home: 'user' } };
const print = (input: LaunchInput): string => buildLaunch(input).fingerprint;
const server = (change: Partial<LaunchInput['server']>, base = npm): LaunchInput => ({ ...base, server: { ...base.server, ...change } });

describe('launch', () => {
  test('S20 what is shown is what runs: node with the entry, arguments of spec and user, an own home', () => {
    expect(buildLaunch(npm)).toMatchObject({ kind: 'stdio', command: '/opt/node', args: ['/data/apps/srv/node_modules/p/index.js', '--a', '--b'], cwd: '/data/homes/srv', home: '/data/homes/srv', inheritedEnv: ['GANTRY_SERVER_TOKEN', 'HOME', 'PATH'], package: { name: 'p', version: '1.0.0' } });
    expect(buildLaunch({ ...command, resolveCommand: () => '/usr/bin/tool' })).toMatchObject({ command: '/usr/bin/tool', args: ['x', '--b'], cwd: '/home/u', home: '/home/u' });
  });

  test('S20 the fingerprint moves with everything that changes what runs', () => {
    const all = [
      print(npm),
      print(server({ args: ['--c'] })),
      print(server({ env: { MODE: { plain: 'test' }, KEY: { secretRef: 'ref-1' } } })),
      print(server({ env: { MODE: { plain: 'prod' }, KEY: { plain: 'no secret' } } })),
      print(server({ env: { MODE: { plain: 'prod' }, KEY2: { secretRef: 'ref-1' } } })),
      print(server({ home: 'user' })),
      ...(['version', 'integrity', 'lockSha256', 'entry'] as const).map((field) => print({ ...npm, installation: { ...installation, [field]: 'other' } })),
      print(command),
      print(server({ spec: { kind: 'command', command: 'tool', args: ['y'] } }, command)),
      print(server({ spec: { kind: 'command', command: 'tool', args: ['x'], cwd: '/w' } }, command)),
      print(server({ spec: { kind: 'http', url: 'https://a.example/mcp' } })),
      print(server({ spec: { kind: 'http', url: 'https://b.example/mcp' } })),
      print(server({ spec: { kind: 'http', url: 'https://a.example/mcp' }, headers: { 'X-A': { plain: '1' } } })),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  test('S20 it stays with what changes nothing: a rotated secret, key order, another Node, a moved data folder, where PATH finds the command', () => {
    expect(print(server({ env: { KEY: { secretRef: 'ref-1' }, MODE: { plain: 'prod' } } }))).toBe(print(npm));
    // the launch that was shown before adding names a secret by its place, the stored one by its reference
    expect(print(server({ env: { MODE: { plain: 'prod' }, KEY: { secretRef: 'env.KEY' } } }))).toBe(print(npm));
    expect(print({ ...npm, hostNode: '/elsewhere/node', dataDir: '/moved', installation: { ...installation, dir: '/moved/apps/srv' } })).toBe(print(npm));
    expect(print({ ...command, resolveCommand: () => '/usr/bin/tool' })).toBe(print(command));
    const headers = (name: string): LaunchInput => server({ spec: { kind: 'http', url: 'https://a.example' }, headers: { [name]: { plain: '1' } } });
    expect(print(headers('X-Key'))).toBe(print(headers('x-key')));
  });
});

test('C001 a home sign and a relative working folder start at the user\'s home; a whole command line in place of the command is pointed out', () => {
  const asked: string[] = [];
  const at = (cwd: string, name = '~/bin/tool'): string => {
    const launch = buildLaunch({ ...command, userHome: '/home/u', server: { ...command.server, home: 'user', spec: { kind: 'command', command: name, cwd } }, resolveCommand: (found) => (asked.push(found), null) });
    return launch.kind === 'stdio' ? launch.cwd : '';
  };
  expect([at('~'), at('~/work dir'), at('work'), at('/abs'), at('~other')]).toEqual(['/home/u', '/home/u/work dir', '/home/u/work', '/abs', '/home/u/~other']);
  expect(asked[0]).toBe('/home/u/bin/tool');
  const remedy = (name: string): string | undefined => {
    const found = findCommand({ command: name, path: '/nowhere', cwd: '/' });
    return found.ok ? undefined : found.error.remedy;
  };
  expect(remedy('npx -y some-server')).toContain('"npx"');
  expect(remedy('node ')).toContain('spaces');
  expect(remedy('tool')).toContain('absolute path');
});

describe('environment', () => {
  const host = { PATH: '/bin', HOME: '/home/u', LANG: 'de_DE', LC_ALL: 'C', TZ: 'UTC', AWS_SECRET_ACCESS_KEY: 'canary', SSH_AUTH_SOCK: '/s', NODE_OPTIONS: '--inspect', LD_PRELOAD: 'x.so', HTTPS_PROXY: 'http://proxy:1', HTTP_PROXY: 'http://user:pass@proxy:1', NODE_EXTRA_CA_CERTS: '/ca.pem', BASH_FUNC_x: '() { :; }', SHELL: '() { evil; }', GANTRY_X: '1' };

  test('M14 a child gets an allow-list: no token, agent socket, loader variable, shell function or proxy', () => {
    expect(Object.keys(inheritedEnvironment(host, 'linux')).sort()).toEqual(['HOME', 'LANG', 'LC_ALL', 'NODE_EXTRA_CA_CERTS', 'PATH', 'TZ']);
    expect(Object.keys(inheritedEnvironment({ Path: 'C:\\', SystemRoot: 'C:\\W', SECRET: 'x', APPDATA: 'a' }, 'win32')).sort()).toEqual(['APPDATA', 'Path', 'SystemRoot']);
  });

  test('M14 its home, its own values and the token are added, each start has another token', () => {
    const launch = buildLaunch(npm) as Extract<Launch, { kind: 'stdio' }>;
    const a = childEnvironment(launch, { KEY: 'v', LANG: 'en' }, '/bin:/x', host);
    expect(a.env).toMatchObject({ HOME: '/data/homes/srv', KEY: 'v', LANG: 'en', PATH: '/bin:/x', GANTRY_SERVER_TOKEN: a.token });
    expect(JSON.stringify(a.env)).not.toContain('canary');
    expect(childEnvironment(launch, {}, '', host).token).not.toBe(a.token);
  });

  test('M01 names that change how programs load code: refused from strangers, a warning when typed', () => {
    for (const name of ['NODE_OPTIONS', 'node_options', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES', 'PATH', 'ELECTRON_RUN_AS_NODE', 'PYTHONSTARTUP', 'BASH_ENV', 'GIT_SSH_COMMAND', 'PERL5OPT', 'RUBYOPT', 'JAVA_TOOL_OPTIONS']) {
      expect(checkEnvironmentNames([name], false)).toMatchObject({ ok: false, error: { code: 'dangerous_environment', field: `env.${name}` } });
      expect(checkEnvironmentNames(['API_KEY', name], true)).toEqual({ ok: true, value: [name] });
    }
    expect(checkEnvironmentNames(['API_KEY', 'MY_PATH', 'NODE_ENV', 'PYTHONUNBUFFERED'], false)).toEqual({ ok: true, value: [] });
    for (const name of ['', 'A=B', 'A\0', 'GANTRY_SERVER_TOKEN']) expect(checkEnvironmentNames([name], true).ok).toBe(false);
  });
});

/** What a Windows C program makes of a command line, and what cmd.exe makes of a line before: for the test of the quoting. */
const cmdReads = (line: string): string => line.replace(/\^(.)/g, '$1');
const argvOf = (line: string): string[] => {
  const found: string[] = [];
  let current = '';
  let quoted = false;
  let any = false;
  for (let i = 0; i < line.length; ) {
    let slashes = 0;
    while (line[i] === '\\') { slashes++; i++; }
    if (line[i] === '"') {
      current += '\\'.repeat(Math.floor(slashes / 2));
      if (slashes % 2 === 1) current += '"';
      else quoted = !quoted;
      any = true;
      i++;
      continue;
    }
    current += '\\'.repeat(slashes);
    if (i >= line.length) break;
    if (line[i] === ' ' && !quoted) {
      if (any || current !== '') found.push(current);
      current = '';
      any = false;
    } else current += line[i];
    i++;
  }
  if (any || current !== '') found.push(current);
  return found;
};

describe('Windows, as branches (never run there)', () => {
  const odd = ['hello world', 'a&b', '100%', 'say "hi"', 'C:\\My Dir\\', '', '^caret^', '%PATH%', '(x)', 'a|b>c<d', '!x!', '\\\\"', 'tail\\\\'];

  test('C003 P10 a batch file is started through cmd.exe with quoting that gives the arguments back exactly; a program directly', () => {
    const plan = planSpawn('C:\\tmp\\fake dir\\start.cmd', odd, 'win32', 'C:\\Windows\\cmd.exe');
    expect(plan).toMatchObject({ file: 'C:\\Windows\\cmd.exe', windowsVerbatimArguments: true });
    expect(plan.args.slice(0, 3)).toEqual(['/d', '/s', '/c']);
    const inner = plan.args[3]!.slice(1, -1);
    // every character that cmd.exe acts on is escaped
    expect(inner.replace(/\^./g, '')).not.toMatch(/[%!"<>&|]/);
    expect(argvOf(cmdReads(inner.slice(inner.indexOf('start.cmd') + 'start.cmd '.length)))).toEqual(odd);
    const shim = planSpawn('C:\\p\\node_modules\\.bin\\x.cmd', odd, 'win32').args[3]!.slice(1, -1);
    expect(argvOf(cmdReads(cmdReads(shim.slice(shim.indexOf('x.cmd') + 'x.cmd '.length))))).toEqual(odd);
    expect(planSpawn('C:\\a\\b.exe', odd, 'win32')).toEqual({ file: 'C:\\a\\b.exe', args: odd, windowsVerbatimArguments: false });
    expect(planSpawn('/usr/bin/x.cmd', odd, 'linux')).toEqual({ file: '/usr/bin/x.cmd', args: odd, windowsVerbatimArguments: false });
  });

  test('C003 "start" is found through PATHEXT, a name with its extension as it is; what no quoting carries is refused', () => {
    expect(namesToTry('start', 'win32', '.EXE;.CMD')).toEqual(['start.exe', 'start.cmd']);
    expect(namesToTry('start.cmd', 'win32', '.EXE;.CMD')[0]).toBe('start.cmd');
    const folder = mkdtempSync(join(tmpdir(), 'gantry-win-'));
    writeFileSync(join(folder, 'start.cmd'), '');
    for (const name of ['start', 'start.cmd', join(folder, 'start.cmd')]) expect(findCommand({ command: name, path: folder, cwd: '/', platform: 'win32', pathext: '.EXE;.CMD' })).toEqual({ ok: true, value: join(folder, 'start.cmd') });
    expect(unquotableArgument('x.cmd', ['a', 'b\nc'], 'win32')).toBe(1);
    expect(unquotableArgument('x', ['a', 'b\nc'], 'linux')).toBe(-1);
    expect(unquotableArgument('x', ['a\0'], 'linux')).toBe(0);
  });

  test('C014 a process tree is ended with taskkill /T', () => {
    expect(taskkillArguments(7, false)).toEqual(['/PID', '7', '/T']);
    expect(taskkillArguments(7, true)).toEqual(['/PID', '7', '/T', '/F']);
  });
});

test('P07 the start time is read behind a name with brackets and spaces', () => {
  expect(parseProcStat('12 (a) b (c) S 1 34 34 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 111098 1 2 3')).toEqual({ state: 'S', group: 34, startTicks: '111098' });
});

test('P10 a file that no system starts by itself is refused before a shell could be asked', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-kind-'));
  const file = (name: string, bytes: Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    chmodSync(path, 0o755);
    return path;
  };
  const elf = (machine: number): Buffer => {
    const bytes = Buffer.alloc(64);
    bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
    bytes.writeUInt16LE(machine, 18);
    return bytes;
  };
  expect(notAProgram(file('ok', elf(62)), 'linux', 'x64')).toBeNull();
  expect(notAProgram(file('script', Buffer.from('#!/bin/sh\n')), 'linux', 'x64')).toBeNull();
  expect(notAProgram(file('arm', elf(183)), 'linux', 'x64')?.message).toContain('another processor');
  expect(notAProgram(file('bare', Buffer.from('echo hi\n')), 'linux', 'x64')?.remedy).toContain('#!');
  expect(notAProgram(file('mz', Buffer.from('MZ..')), 'linux', 'x64')?.message).toContain('Windows');
});
