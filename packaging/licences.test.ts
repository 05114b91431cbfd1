import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { LicenceFile } from '../main/licence-file.ts';
import { licenceFile, shippedPackages } from './licences.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const shipped = shippedPackages(root);
const names = new Set(shipped.map((one) => one.name));

test('B08 what ships is listed with its terms, and what serves development alone is not', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object };
  for (const name of [...Object.keys(manifest.dependencies), 'electron', 'node']) expect([name, names.has(name)]).toEqual([name, true]);
  for (const name of ['vitest', 'vite', 'electron-builder', '@playwright/test', 'oxlint']) expect([name, names.has(name)]).toEqual([name, false]);
  expect(shipped.filter((one) => one.license === 'not declared')).toEqual([]);
  expect(shipped.filter((one) => one.text !== null).length / shipped.length).toBeGreaterThan(0.9);
  expect(shipped.find((one) => one.name === 'react')).toMatchObject({ license: 'MIT', text: expect.stringContaining('Permission is hereby granted') });
});

test('B08 the host tells the list and each text; a list that was not built is said to be missing', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'gantry-licences-')), 'licences.json');
  expect(await new LicenceFile(path).list()).toMatchObject({ ok: false, error: { code: 'not_found', remedy: expect.stringContaining('npm run build') } });
  writeFileSync(path, licenceFile(root));
  const file = new LicenceFile(path);
  const list = await file.list();
  expect(list.ok && list.value.licences.length).toBe(shipped.length);
  const zod = shipped.find((one) => one.name === 'zod');
  expect(await file.text('zod', zod?.version ?? '')).toMatchObject({ ok: true, value: { text: expect.stringMatching(/MIT License/), licence: { name: 'zod', hasText: true } } });
  expect(await file.text('zod', '0')).toMatchObject({ ok: false, error: { code: 'not_found' } });
});
