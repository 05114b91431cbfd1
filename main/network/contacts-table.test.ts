import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { en } from '../../renderer/features/settings/network/en.ts';
import { zh } from '../../renderer/features/settings/network/zh.ts';
import { OUTBOUND_PURPOSES } from '../../shared/outbound.ts';

test('NW20 docs and settings list every purpose of the table, in the same words, and no other', () => {
  const docs = readFileSync(fileURLToPath(new URL('../../docs/network.md', import.meta.url)), 'utf8');
  const rows = docs.split('## Whom each may reach')[0]!.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows).toEqual(OUTBOUND_PURPOSES.map((purpose) => `| \`${purpose}\` | ${en.contacts.reason[purpose]} | ${en.contacts.when[purpose]} |`));
  for (const words of [en.contacts, zh.contacts]) for (const part of [words.reason, words.when]) expect(Object.keys(part)).toEqual(OUTBOUND_PURPOSES);
});
