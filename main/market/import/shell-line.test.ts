import { expect, test } from 'vitest';
import { readText } from './read-text.ts';
import { handsLineToShell, packageAddressAt } from './shell-line.ts';
import { mergeSources, showServer } from './show-preview.ts';

const words = (line: string): [string, string[]] => [line.split(' ')[0]!, line.split(' ').slice(1)];

test.each([
  'sh -c id', '/bin/bash -lc id', 'bash -euxc id', 'dash -ec id', 'zsh --command=id', 'su -c id', 'script -qc id', 'cmd /d /s /c dir', 'cmd.exe /k dir', 'powershell.exe -enc AAAA', 'pwsh -Com id', 'powershell Get-Item',
  'osascript -e x', 'busybox sh -c id', 'xargs sh -c id', 'env -i sh -c id', 'sudo -n bash -c id', 'timeout 5 nice -n 1 sh -c id', 'find / -exec sh -c id', 'npx -c id', 'npx --call=id', 'npm exec -c id', 'pnpm dlx --shell-mode id', 'bun exec id', 'ssh host id', 'uvx sh -c id',
])('C117 a line for a shell is seen, also behind another program: %s', (line) => {
  expect(handsLineToShell(...words(line))).toBe(true);
});

test('C117 a line for a shell is seen where the whole of it stands in the place of the command', () => {
  expect(handsLineToShell('sh -c "id > /tmp/x"', [])).toBe(true);
  expect(handsLineToShell('busybox sh', ['-c', 'id'])).toBe(true);
});

test.each(['npx -y tool -- run', 'node server.js -c conf.json', 'bash ./start.sh', 'cmd start.cmd', 'pwsh -File start.ps1', 'docker run --rm img sh -c id', 'uvx tool -c conf', 'python -m server', 'ssh -T host', 'uv run script.py'])('C117 what hands no line to a shell is left alone: %s', (line) => {
  expect(handsLineToShell(...words(line))).toBe(false);
});

test.each([
  ['npx -y https://x.example/a.tgz', 1], ['npx -y user/repo', 1], ['npx -y git+ssh://git@x.example/a.git', 1], ['npm exec -y -- file:../a', 3], ['pnpm dlx github:user/repo', 1], ['uvx --from git+https://x.example/a tool', 1], ['uvx --from=git+https://x.example/a tool', 0], ['uvx --from tool@git+https://x.example/a tool', 1],
  ['npx -y @scope/name@1.0.0 https://x.example/mcp', null], ['npx -y mcp-remote https://x.example/mcp', null], ['uvx tool ./a/b', null], ['node user/repo', null],
])('C117 a package that comes from an address is seen: %s', (line, at) => {
  expect(packageAddressAt(...words(line))).toBe(at);
});

test('C117 a link may not bring a line for a shell behind another program or as one text; where a person pastes it, it is pointed out and not picked', () => {
  const shown = (text: string) => {
    const found = readText(text);
    if (!found.ok) throw new Error(found.error.code);
    return showServer(mergeSources([{ ...found.value, host: 'text', path: null, fault: null, absent: false }], {})[0]!, []);
  };
  const launches = [{ command: 'busybox', args: ['sh', '-c', 'id'] }, { command: 'npx', args: ['-c', 'id'] }, { command: 'sh -c id' }, { command: 'pwsh', args: ['-enc', 'AAA'] }, { command: 'cmd', args: ['/c', 'sh', '-c', 'id'] }, { command: 'env', args: ['sh', '-c', 'id'] }];
  for (const launch of launches) {
    const link = shown(`app://install?name=x&config=${Buffer.from(JSON.stringify(launch)).toString('base64')}`);
    expect([launch, link.fault]).toMatchObject([launch, { code: 'import_unfit', details: { why: 'shell_from_link' } }]);
    const pasted = shown(JSON.stringify({ mcpServers: { x: launch } }));
    expect(pasted).toMatchObject({ fault: null, suggested: false, warnings: expect.arrayContaining([expect.objectContaining({ code: 'shell' })]) });
  }
  expect(shown('{"mcpServers":{"x":{"command":"npx","args":["-y","https://x.example/a.tgz"]}}}')).toMatchObject({ suggested: false, warnings: [{ code: 'package_address', detail: 'https://x.example/a.tgz' }] });
  expect(shown('{"mcpServers":{"x":{"command":"uv","args":["run","python3.12","-c","print(1)"]}}}')).toMatchObject({ suggested: false, warnings: [{ code: 'inline_code', detail: 'arg.3' }] });
  expect(shown(`app://install?name=x&config=${Buffer.from('{"command":"cmd","args":["/c","npx","-y","tool"]}').toString('base64')}`)).toMatchObject({ fault: null });
});
