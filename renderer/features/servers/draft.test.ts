import { expect, test } from 'vitest';
import type { MarketEntry } from '../../../shared/market.ts';
import { commandLine, lineParts } from '../../parts/command-line.ts';
import { addInput, changedValues, draftOfEntry, emptyDraft, hasSecrets, missing, rowsOf, withSplit } from './draft.ts';
import { argsOf, asRows, changedArguments, draftArguments, newArgument } from './draft-args.ts';

const entry: MarketEntry = {
  id: 'files', name: 'Files', publisher: 'x', description: { en: '', zh: '' }, spec: { kind: 'npm', package: 'files', version: '1.0.0', args: ['--quiet'] },
  inputs: [
    { target: 'arg', name: 'folders', label: { en: '', zh: '' }, required: true, secret: false, format: 'directory', repeated: true },
    { target: 'arg', name: '--depth', label: { en: '', zh: '' }, required: false, secret: false, format: 'number', repeated: false },
    { target: 'arg', name: '--follow', label: { en: '', zh: '' }, required: false, secret: false, format: 'boolean', repeated: false },
    { target: 'env', name: 'API_KEY', label: { en: '', zh: '' }, required: true, secret: true, format: 'string', repeated: false },
  ],
  kind: 'npm', transport: 'stdio', licence: 'MIT', categories: [], highestTier: 'low_write', verified: true, source: [{ facts: ['package'], from: 'npm_metadata', ref: 'x@1.0.0' }], observed: null, checkedAt: '', reviewer: '', reviewedTools: [], installedServerIds: [], installed: [],
};

test('U10 what a market entry asks for becomes arguments, environment and sealed secrets, in order', () => {
  const draft = { ...draftOfEntry(entry), answers: { folders: '/a b\n\n/c', '--depth': '3', '--follow': 'true', API_KEY: 'k' } };
  const input = addInput(draft, entry.inputs);
  expect(input.spec).toEqual({ kind: 'npm', package: 'files', version: '1.0.0', args: ['--quiet', '/a b', '/c', '--depth', '3', '--follow'] });
  expect(input.env).toEqual({ API_KEY: { secret: 'k' } });
  expect(hasSecrets(input)).toBe(true);
  expect(missing(draft, entry.inputs)).toEqual([]);
});

test('U10 what is missing is named, and nothing is guessed', () => {
  expect(missing(draftOfEntry(entry), entry.inputs)).toEqual(['folders', 'API_KEY']);
  expect(missing(emptyDraft('npm'), [])).toEqual(['package']);
  expect(missing({ ...emptyDraft('http'), spec: { kind: 'http', url: 'ftp://x' } }, [])).toEqual(['url']);
});

test('U11 arguments are one a line and never interpreted', () => {
  expect(argsOf('--a\n\n"b c"  \n')).toEqual(['--a', '', '"b c"  ']);
  expect(argsOf('')).toEqual([]);
});

test('U12 a stored secret is neither read nor sent; it is replaced, removed or left alone', () => {
  const before = { KEY: { secretRef: 'r1' }, MODE: { plain: 'a' }, OLD: { plain: 'x' } };
  const rows = rowsOf(before);
  expect(rows.find((row) => row.name === 'KEY')).toMatchObject({ value: '', stored: true });
  expect(changedValues(before, rows)).toEqual({});
  expect(changedValues(before, rows.filter((row) => row.name !== 'OLD').map((row) => (row.name === 'KEY' ? { ...row, stored: false, value: 'new' } : row)))).toEqual({ OLD: null, KEY: { secret: 'new' } });
});

test('U13 the command line is shown whole and could be pasted back', () => {
  expect(commandLine('/usr/bin/node', ['a b', "it's", '--x=1', ''])).toBe(`/usr/bin/node 'a b' 'it'\\''s' --x=1 ''`);
});

test('U20 a secret that an app wants as an argument is sent to be sealed, in its place, and never as text', () => {
  const inputs: MarketEntry['inputs'] = [...entry.inputs, { target: 'arg', name: '--token', label: { en: '', zh: '' }, required: true, secret: true, format: 'string', repeated: false }, { target: 'arg', name: 'last', label: { en: '', zh: '' }, required: false, secret: false, format: 'string', repeated: false }];
  const draft = { ...draftOfEntry({ ...entry, inputs }), answers: { folders: '/a', API_KEY: 'k', '--token': 'hush', last: 'z' } };
  const input = addInput(draft, inputs);
  expect(input.spec).toMatchObject({ args: ['--quiet', '/a', '--token'] });
  expect(input.args).toEqual([{ secret: 'hush' }, 'z']);
  expect(JSON.stringify(input.spec)).not.toContain('hush');
  expect(hasSecrets({ spec: input.spec, args: input.args })).toBe(true);
});

test('U20 a sealed argument is shown as one, kept by its reference, replaced or removed', () => {
  const before = ['--token', { secretRef: 'r1' }, '-v'];
  const draft = draftArguments(before);
  expect(changedArguments(before, draft)).toBeNull();
  expect(draft.argRows!.map((row) => row.value)).toEqual(['--token', '', '-v']);
  expect(changedArguments(before, { ...draft, argRows: draft.argRows!.slice(0, 2) })).toEqual(['--token', { secretRef: 'r1' }]);
  expect(changedArguments(before, { ...draft, argRows: draft.argRows!.map((row) => (row.kept ? { ...row, kept: null, value: 'new' } : row)) })).toEqual(['--token', { secret: 'new' }, '-v']);
  const lines = { argsText: 'a\nb', argRows: null };
  expect(changedArguments(['a', 'b'], lines)).toBeNull();
  expect(changedArguments(['a', 'b'], { ...lines, argRows: [...asRows(lines), newArgument('s', true)] })).toEqual(['a', 'b', { secret: 's' }]);
});

test('U20 the command line names a sealed argument by its reference', () => {
  expect(lineParts('/bin/x', ['--token', { secretRef: 'secret-1' }, 'a b'])).toEqual(['/bin/x --token', { secretRef: 'secret-1' }, `'a b'`]);
  expect(commandLine('/bin/x', ['--token', { secretRef: 'secret-1' }])).toBe(`/bin/x --token '<secret-1>'`);
});

test('U10 what an entry puts before a value is put there once, and a flag written so is one argument', () => {
  const input = (part: Partial<MarketEntry['inputs'][number]>): MarketEntry['inputs'][number] => ({ target: 'header', name: 'Authorization', label: { en: '', zh: '' }, required: true, secret: true, format: 'string', repeated: false, prefix: 'Bearer ', ...part });
  const inputs = [input({}), input({ target: 'arg', name: '--host', secret: false, prefix: '--host=' })];
  const draft = { ...draftOfEntry({ ...entry, inputs }), answers: { Authorization: 'abc', '--host': 'h.example' } };
  expect(addInput(draft, inputs)).toMatchObject({ headers: { Authorization: { secret: 'Bearer abc' } }, spec: { args: expect.arrayContaining(['--host=h.example']) } });
  expect(addInput({ ...draft, answers: { Authorization: 'Bearer abc' } }, inputs).headers).toEqual({ Authorization: { secret: 'Bearer abc' } });
});

test('U22 a line taken apart puts its rest before the arguments that are there, as lines or as rows', () => {
  const draft = { ...emptyDraft('command'), spec: { kind: 'command' as const, command: 'npx -y a' }, argsText: 'last' };
  const split = { command: 'npx', args: ['-y', 'a'] };
  expect(addInput(withSplit(draft, split), []).spec).toMatchObject({ command: 'npx', args: ['-y', 'a', 'last'] });
  expect(withSplit({ ...draft, argsText: '', argRows: [newArgument('s', true)] }, split).argRows?.map((row) => [row.value, row.secret])).toEqual([['-y', false], ['a', false], ['s', true]]);
});

test('U143 a folder that depends on where the app starts is refused at its field; a whole path is not', () => {
  const input = { target: 'arg', name: 'directory', label: { en: 'Folder', zh: '文件夹' }, required: true, secret: false, format: 'directory', repeated: true } as const;
  const wrong = (folders: string): readonly string[] => missing({ ...emptyDraft('npm'), spec: { kind: 'npm', package: 'files' }, answers: { directory: folders } }, [input]);
  for (const folder of ['relative/x', './x', '~', '~/documents', '/home/me\nrelative/x']) expect(wrong(folder)).toEqual(['directory']);
  for (const folder of ['/home/me', '/home/me\n/srv', 'C:\\Users\\me', '\\\\server\\share']) expect(wrong(folder)).toEqual([]);
  expect(wrong('')).toEqual(['directory']);
});
