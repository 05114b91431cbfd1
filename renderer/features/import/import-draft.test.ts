import { expect, test } from 'vitest';
import type { ImportServer } from '../../../shared/import.ts';
import { draftsOf, openOf, pickOf, sealsAnything, valuesOf } from './import-draft.ts';

const server: ImportServer = {
  key: 'a', name: 'a', sources: [], disabled: false, dangerous: [], warnings: [], notBrought: [], existing: [], fault: null, suggested: true,
  launches: [{ as: 'npm', package: 'p', version: null, args: ['arg.3'] }, { as: 'command', command: 'npx', args: ['arg.1', 'arg.2', 'arg.3'], cwd: null }],
  values: ['command', 'arg.1', 'arg.2', 'arg.3', 'env.K'].map((place) => ({ place, prefix: '', shown: place, secret: place === 'env.K', why: 'plain' as const, asks: place === 'arg.3' ? ['TOKEN'] : [] })),
  asks: [{ name: 'TOKEN', kind: 'variable', variable: 'TOKEN', present: true, description: '', default: null, choices: [], secret: true, required: true, fixed: false, places: ['arg.3'] }],
};

test('U71 no variable is allowed beforehand, and nothing can be brought in before each is decided by name', () => {
  const draft = draftsOf([server])['a']!;
  expect(draft).toMatchObject({ picked: true, as: 'npm', answers: { TOKEN: { use: null } } });
  expect(openOf(server, draft)).toEqual(['TOKEN']);
  const decided = { ...draft, answers: { TOKEN: { use: 'host' as const, value: '' } } };
  expect(openOf(server, decided)).toEqual([]);
  expect(pickOf(server, decided)).toEqual({ key: 'a', as: 'npm', answers: { TOKEN: { use: 'host' } } });
  expect(pickOf(server, { ...draft, answers: { TOKEN: { use: 'value', value: 't' } } })).toMatchObject({ answers: { TOKEN: { use: 'value', value: { secret: 't' } } } });
});

test('U71 what is shown follows the launch that is chosen; what is here already is picked by nobody but the person', () => {
  const draft = draftsOf([server])['a']!;
  expect(valuesOf(server, draft).map((value) => value.place)).toEqual(['arg.3', 'env.K']);
  expect(valuesOf(server, { ...draft, as: 'command' }).map((value) => value.place)).toEqual(['command', 'arg.1', 'arg.2', 'arg.3', 'env.K']);
  expect(sealsAnything(server, { ...draft, secret: { 'env.K': false } })).toBe(false);
  const here = { ...server, suggested: false, existing: [{ serverId: 'a', name: 'a', how: 'same' as const }] };
  expect(draftsOf([here])['a']!.picked).toBe(false);
  expect(openOf(here, draftsOf([here])['a']!)).toEqual(['existing', 'TOKEN']);
});
