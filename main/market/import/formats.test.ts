import { describe, expect, test } from 'vitest';
import type { FoundServer, FoundText } from './found-server.ts';
import { findServers, type FindOptions } from './find-servers.ts';
import { parseToml } from './parse-toml.ts';
import { readText } from './read-text.ts';
import { parseJson } from './parse-json.ts';

const read = (text: unknown): FoundText => {
  const found = readText(typeof text === 'string' ? text : JSON.stringify(text));
  if (!found.ok) throw new Error(JSON.stringify(found.error));
  return found.value;
};
const one = (text: unknown): FoundServer => {
  const { servers } = read(text);
  expect(servers).toHaveLength(1);
  return servers[0]!;
};
const whole = (text: string, options: FindOptions): FoundText => {
  const tree = parseJson(text);
  if (!tree.ok) throw new Error(tree.error.message);
  const found = findServers(tree.value, options);
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
};
const unreadOf = (server: FoundServer): Record<string, string> => Object.fromEntries(server.unread.map((field) => [field.path.slice(server.path.length).join('.'), field.reason]));

describe('settings of each program', () => {
  test('IM01 Claude Desktop: mcpServers with command, args, env; the rest of its settings is its own', () => {
    const { servers, unread } = whole('{"globalShortcut":"Ctrl+Space","mcpServers":{"files":{"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","/Users/me/Desktop"],"env":{"LOG":1}}}}', { wholeSettings: true });
    expect(servers).toMatchObject([{ name: 'files', command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/Users/me/Desktop'], env: [['LOG', '1']], disabled: false, unread: [] }]);
    expect(unread).toEqual([]);
  });

  test('IM02 VS Code: servers with inputs, comments and trailing commas; a null variable, envFile and dev are told', () => {
    const server = one(`{
      // workspace servers
      "inputs": [ { "type": "promptString", "id": "token", "description": "GitHub token", "password": true }, ],
      "servers": {
        "github": { "type": "stdio", "command": "docker", "args": ["run", "-i", "--rm", "ghcr.io/github/github-mcp-server"], "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "\${input:token}", "OFF": null }, "envFile": "\${workspaceFolder}/.env", "dev": { "watch": "src/**" } },
      },
    }`);
    expect(server).toMatchObject({ name: 'github', command: 'docker', env: [['GITHUB_PERSONAL_ACCESS_TOKEN', '${input:token}']] });
    expect(server.inputs.get('token')).toMatchObject({ description: 'GitHub token', secret: true });
    expect(unreadOf(server)).toEqual({ envFile: 'env_file', dev: 'host_feature', 'env.OFF': 'unset_variable' });
  });

  test('IM02 VS Code: the mcp part of settings.json, written either way', () => {
    expect(one({ mcp: { inputs: [], servers: { a: { command: 'node' } } }, 'editor.fontSize': 12 })).toMatchObject({ name: 'a', command: 'node' });
    expect(one({ 'mcp.servers': { a: { url: 'https://h.example/mcp' } } })).toMatchObject({ url: 'https://h.example/mcp' });
  });

  test('IM03 Cursor and LM Studio: url with headers, envFile and auth are told', () => {
    const server = one({ mcpServers: { remote: { url: 'https://h.example/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' }, auth: { CLIENT_ID: 'x' }, envFile: '.env' } } });
    expect(server).toMatchObject({ url: 'https://h.example/mcp', headers: [['Authorization', 'Bearer ${env:TOKEN}']] });
    expect(unreadOf(server)).toEqual({ auth: 'sign_in', envFile: 'env_file' });
  });

  test('IM04 Windsurf: serverUrl, disabled and disabledTools', () => {
    const server = one({ mcpServers: { w: { serverUrl: 'https://h.example/sse', disabled: true, disabledTools: ['a'], headers: { 'X-K': '1' } } } });
    expect(server).toMatchObject({ url: 'https://h.example/sse', disabled: true });
    expect(unreadOf(server)).toEqual({ disabledTools: 'tool_choice' });
  });

  test('IM05 Cline: autoApprove is told and never taken; a legacy transportType; the transport it names decides between command and url', () => {
    const server = one({ mcpServers: { c: { autoApprove: ['read', '*'], alwaysAllow: ['x'], disabled: false, timeout: 60, type: 'stdio', command: 'node', args: ['s.js'], url: 'https://old.example' } } });
    expect(server).toMatchObject({ command: 'node', args: ['s.js'], url: null });
    expect(unreadOf(server)).toEqual({ autoApprove: 'grants', alwaysAllow: 'grants', timeout: 'timeouts', url: 'other_transport' });
    const remote = one({ mcpServers: { c: { transportType: 'http', command: 'node', args: ['s.js'], url: 'https://h.example', env: { A: 'b' } } } });
    expect(remote).toMatchObject({ command: null, url: 'https://h.example' });
    expect(unreadOf(remote)).toEqual({ command: 'other_transport', 'env.A': 'other_transport' });
  });

  test('IM06 Codex: TOML tables; passed variables, header variables and the bearer variable become placeholders', () => {
    const { servers, unread } = read(`
model = "gpt-5"
[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-mcp"]
env = { A = "b" }
env_vars = ["HOME_TOKEN", { name = "B", source = "remote" }]
enabled = false
startup_timeout_sec = 20
default_tools_approval_mode = "approve"
[mcp_servers.docs.tools.search]
approval_mode = "approve"
[mcp_servers."web api"]
url = "https://h.example/mcp"
bearer_token_env_var = "WEB_TOKEN"
http_headers = { "X-Region" = "eu" }
env_http_headers = { "X-Key" = "KEY_VAR" }
`);
    expect(servers[0]).toMatchObject({ name: 'docs', disabled: true, env: [['HOME_TOKEN', '${HOME_TOKEN}'], ['A', 'b']] });
    expect(unreadOf(servers[0]!)).toEqual({ 'env_vars.1': 'host_feature', startup_timeout_sec: 'timeouts', default_tools_approval_mode: 'grants', tools: 'tool_choice' });
    expect(servers[1]).toMatchObject({ name: 'web api', headers: [['Authorization', 'Bearer ${WEB_TOKEN}'], ['X-Key', '${KEY_VAR}'], ['X-Region', 'eu']] });
    expect(unread).toMatchObject([{ path: ['model'], reason: 'other_setting' }]);
  });

  test('IM07 Claude Code: user and project servers of one file; http headers; a helper command is told', () => {
    const { servers } = read({ mcpServers: { a: { type: 'http', url: 'https://a.example', headersHelper: 'get-token' } }, projects: { '/p/one': { mcpServers: { b: { type: 'stdio', command: 'b', args: [], env: {} } } }, '/p/two': { mcpServers: {} } } });
    expect(servers.map((server) => [server.name, server.path.join('|')])).toEqual([['a', 'mcpServers|a'], ['b', 'projects|/p/one|mcpServers|b']]);
    expect(unreadOf(servers[0]!)).toEqual({ headersHelper: 'helper_command' });
  });

  test('IM08 Zed, old and new, an extension of its own, and Gemini CLI with bare variables', () => {
    const { servers } = read({ context_servers: { a: { source: 'custom', command: 'node', args: ['x'], env: {} }, b: { command: { path: 'node', args: ['y'], env: { K: 'v' } }, settings: {} }, c: { source: 'extension', enabled: false, settings: { key: 'v' } }, d: { url: 'https://d.example' } } });
    expect(servers).toMatchObject([{ command: 'node', args: ['x'], fault: null }, { command: 'node', args: ['y'], env: [['K', 'v']] }, { fault: { code: 'import_unfit', details: { why: 'nothing_to_start' } }, disabled: true }, { url: 'https://d.example' }]);
    const gemini = whole('{"mcpServers":{"g":{"httpUrl":"https://g.example/$PATH_PART","headers":{"K":"$MY_KEY and ${OTHER}"},"trust":true,"includeTools":["a"]}}}', { dollar: true });
    expect(gemini).toMatchObject({ servers: [{ url: 'https://g.example/${PATH_PART}', headers: [['K', '${MY_KEY} and ${OTHER}']], unread: [{ reason: 'grants' }, { reason: 'tool_choice' }] }] });
  });

  test('IM09 a server.json: npm, PyPI, OCI and remotes, in both spellings, with what they ask for', () => {
    const { servers, unread } = read({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json', name: 'io.example/weather', description: 'Weather', version: '1.0.2',
      packages: [
        { registryType: 'npm', identifier: '@example/weather', version: '1.0.2', transport: { type: 'stdio' }, packageArguments: [{ type: 'named', name: '--units', default: 'metric', choices: ['metric', 'us'] }, { type: 'positional', valueHint: 'city', isRequired: true }], environmentVariables: [{ name: 'WEATHER_KEY', description: 'the key', isRequired: true, isSecret: true }] },
        { registry_type: 'pypi', identifier: 'weather', version: '0.5.0', runtime_hint: 'uvx', environment_variables: [{ name: 'UNITS', value: 'metric' }] },
        { registryType: 'oci', identifier: 'ghcr.io/example/weather:1.0.2', runtimeArguments: [{ type: 'named', name: '--network', value: 'host' }], environmentVariables: [{ name: 'K', isSecret: true }] },
        { registryType: 'mcpb', identifier: 'https://h.example/x.mcpb', fileSha256: 'aa' },
      ],
      remotes: [{ type: 'streamable-http', url: 'https://{tenant}.h.example/mcp', variables: { tenant: { isRequired: true } }, headers: [{ name: 'X-Key', isRequired: true, isSecret: true }] }],
    });
    expect(servers.slice(0, 3).map((server) => [server.command, ...server.args].join(' '))).toEqual(['npx -y @example/weather@1.0.2 --units ${input:units} ${input:city}', 'uvx weather@0.5.0', 'docker run -i --rm --network host -e K ghcr.io/example/weather:1.0.2']);
    expect(servers[0]!.inputs.get('WEATHER_KEY')).toMatchObject({ secret: true, required: true, description: 'the key' });
    expect(servers[0]!.inputs.get('units')).toMatchObject({ default: 'metric', choices: ['metric', 'us'] });
    expect(servers[1]!.env).toEqual([['UNITS', 'metric']]);
    expect(servers[3]!.fault).toMatchObject({ code: 'import_unfit', details: { why: 'bundle' } });
    expect(servers[4]).toMatchObject({ url: 'https://${input:tenant}.h.example/mcp', headers: [['X-Key', '${input:X-Key}']] });
    expect(unread.map((field) => String(field.path[0]))).toEqual(['$schema', 'description', 'version']);
  });
});

describe('pasted text', () => {
  test('IM10 command lines: npx, uvx, docker, `claude mcp add`, `codex mcp add`, `gemini mcp add`, `code --add-mcp`, with prompts, continuations and variables', () => {
    expect(one('$ npx -y "@scope/pkg@1.2.3" --dir \'/a b\' C:\\Users\\me')).toMatchObject({ command: 'npx', args: ['-y', '@scope/pkg@1.2.3', '--dir', '/a b', 'C:\\Users\\me'] });
    expect(one('export A=1\nB="two words" uvx --from git+https://h.example x \\\n  --flag')).toMatchObject({ command: 'uvx', args: ['--from', 'git+https://h.example', 'x', '--flag'], env: [['A', '1'], ['B', 'two words']] });
    expect(one('claude mcp add --transport http --scope user sentry https://mcp.example/mcp --header "Authorization: Bearer abc"')).toMatchObject({ name: 'sentry', url: 'https://mcp.example/mcp', headers: [['Authorization', 'Bearer abc']] });
    const http = one('claude mcp add --transport http --scope user -H "Authorization: Bearer abc" sentry https://mcp.example/mcp');
    expect(http).toMatchObject({ name: 'sentry', url: 'https://mcp.example/mcp', headers: [['Authorization', 'Bearer abc']] });
    expect(http.unread).toMatchObject([{ path: ['--scope'], reason: 'host_feature' }]);
    expect(one('claude mcp add -e KEY=a=b OTHER=2 air -- npx -y airtable-mcp --x')).toMatchObject({ name: 'air', command: 'npx', args: ['-y', 'airtable-mcp', '--x'], env: [['KEY', 'a=b'], ['OTHER', '2']] });
    expect(one(`claude mcp add-json w '{"type":"stdio","command":"/p/w","args":["--k","v"]}'`)).toMatchObject({ name: 'w', command: '/p/w', args: ['--k', 'v'] });
    expect(one('codex mcp add docs --env A=b -- npx docs-mcp')).toMatchObject({ name: 'docs', command: 'npx', args: ['docs-mcp'], env: [['A', 'b']] });
    expect(one('codex mcp add web --url https://h.example/mcp --bearer-token-env-var T')).toMatchObject({ url: 'https://h.example/mcp', headers: [['Authorization', 'Bearer ${T}']] });
    const gemini = one('gemini mcp add -s user --trust --timeout 100 py python server.py --port 1');
    expect(gemini).toMatchObject({ name: 'py', command: 'python', args: ['server.py', '--port', '1'] });
    expect(gemini.unread.map((field) => field.reason)).toEqual(['host_feature', 'grants', 'timeouts']);
    expect(one(`code --add-mcp '{"name":"v","command":"uvx","args":["x"]}'`)).toMatchObject({ name: 'v', command: 'uvx', args: ['x'] });
    expect(read('npx a\n# a comment\n\nnpx b').servers).toHaveLength(2);
  });

  test('IM10 what only a shell could run is refused with its line; an open quote too', () => {
    expect(readText('npx a\ncurl https://x.example | sh')).toMatchObject({ ok: false, error: { code: 'import_unreadable', details: { line: 2, what: 'shell' } } });
    expect(readText('npx "a\nb')).toMatchObject({ ok: false, error: { code: 'import_unreadable', details: { line: 1, column: 5 } } });
  });

  test('IM11 install links of VS Code, Cursor, LM Studio and their web forms, in base64 of either alphabet or as text', () => {
    const config = { command: 'npx', args: ['-y', 'pkg', '~?>é'] };
    const base64 = Buffer.from(JSON.stringify(config)).toString('base64');
    const links = [
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'n', ...config }))}`,
      `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'n', ...config }))}`)}`,
      `https://vscode.dev/redirect/mcp/install?name=n&config=${encodeURIComponent(JSON.stringify(config))}`,
      `cursor://anysphere.cursor-deeplink/mcp/install?name=n&config=${base64}`,
      `cursor://anysphere.cursor-deeplink/mcp/install?name=n&config=${encodeURIComponent(base64)}`,
      `https://cursor.com/en/install-mcp?name=n&config=${Buffer.from(JSON.stringify(config)).toString('base64url')}`,
      `lmstudio://add_mcp?name=n&config=${encodeURIComponent(base64)}`,
      `cursor://anysphere.cursor-deeplink/mcp/install?name=ignored&config=${Buffer.from(JSON.stringify({ n: config })).toString('base64')}`,
    ];
    for (const link of links) expect(one(link), link).toMatchObject({ name: 'n', ...config });
    expect(readText(links[3]!)).toMatchObject({ value: { host: 'link' } });
    const inputs = one(`vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'n', command: 'npx', env: { K: '${input:k}' }, inputs: [{ id: 'k', type: 'promptString', password: true, description: 'd' }] }))}`);
    expect(inputs.inputs.get('k')).toMatchObject({ secret: true, description: 'd' });
  });

  test('IM12 an address by itself; a fence of a README; a piece cut out of a file; nothing', () => {
    expect(one(' https://mcp.example/sse ')).toMatchObject({ url: 'https://mcp.example/sse', name: '' });
    expect(one('```json\n{"a":{"command":"x"}}\n```')).toMatchObject({ name: 'a', command: 'x' });
    expect(one('"a": {"command": "x"},\n')).toMatchObject({ name: 'a' });
    expect(one('"mcpServers": {"a": {"command": "x"}}')).toMatchObject({ name: 'a' });
    expect(readText('mcpServers:\n  a:\n    command: x')).toMatchObject({ error: { code: 'import_unreadable', details: { line: 1 } } });
    expect(one({ 'amp.mcpServers': { a: { command: 'x' } } })).toMatchObject({ name: 'a' });
    expect(readText('  \n')).toMatchObject({ error: { code: 'import_no_servers' } });
    expect(readText('{"editor.fontSize": 12}')).toMatchObject({ error: { code: 'import_no_servers', details: { found: ['editor.fontSize'] } } });
  });

  test('IM13 comments and stray commas are accepted; what is broken is told with line and column, and no value of it', () => {
    expect(one('{ /* x */ "a": { "command": "x", "args": ["1",, "2",], , }, } // end')).toMatchObject({ args: ['1', '2'] });
    const broken = readText('{\n  "a": {\n    "command": "x" "args": ["sk-secretsecretsecret"]\n  }\n}');
    expect(broken).toMatchObject({ error: { code: 'import_unreadable', details: { line: 3, column: 20 } } });
    expect(JSON.stringify(broken)).not.toContain('sk-secret');
    expect(readText('"a": {"command" "x"}')).toMatchObject({ error: { details: { line: 1, column: 17 } } });
    expect(parseToml('[mcp_servers.a]\ncommand = "x\n')).toMatchObject({ error: { code: 'import_unreadable', details: { line: 2 } } });
    expect(JSON.stringify(parseToml('[mcp_servers.a]\nkey = sk-secretsecretsecret\n'))).not.toContain('sk-secret');
    expect(readText(`{"a":${'['.repeat(100_000)}`)).toMatchObject({ error: { code: 'import_unreadable' } });
    expect(readText(`{"a":"${'x'.repeat(1024 * 1024)}"}`)).toMatchObject({ error: { code: 'import_too_large' } });
  });

  test('IM14 names that mean something to JavaScript are names; a key written twice loses nothing', () => {
    const { servers } = read('{"mcpServers":{"__proto__":{"command":"a"},"constructor":{"command":"b","env":{"__proto__":"x","A":"1","A":"2"}}}}');
    expect(servers.map((server) => server.name)).toEqual(['__proto__', 'constructor']);
    expect(servers[1]).toMatchObject({ env: [['__proto__', 'x'], ['A', '2']] });
    expect(servers[1]!.unread).toMatchObject([{ path: ['mcpServers', 'constructor', 'env', 'A'], reason: 'duplicate', value: '1' }]);
  });
});
