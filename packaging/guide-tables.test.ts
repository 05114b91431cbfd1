import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GUIDE_LANGUAGES, TABLE_PAGES, pagePath, withTable } from './guide-tables.ts';

const tables = Object.entries(TABLE_PAGES) as [keyof typeof TABLE_PAGES, string][];

it.each(GUIDE_LANGUAGES.flatMap((language) => tables.map(([name, page]) => [language, name, page] as const)))('U134 the guide in %s has the table of %s as the code has it (npm run guide writes it)', (language, name, page) => {
  const text = readFileSync(pagePath(language, page), 'utf8');
  expect(text).toBe(withTable(text, name, language));
});

it('U134 a table is replaced where it stands, and what stands around it stays', () => {
  const page = 'Before.\n\n[table]: # (keys)\n\n| old | row |\n| --- | --- |\n\n## After\n';
  const written = withTable(page, 'keys', 'en');
  expect(written).toMatch(/^Before\.\n\n\[table\]: # \(keys\)\n\n\| Where \| Key \|/);
  expect(written).toContain('`G` then `H`');
  expect(written).not.toContain('| old |');
  expect(written.endsWith('\n\n## After\n')).toBe(true);
  expect(withTable(written, 'keys', 'en')).toBe(written);
  expect(() => withTable('No place.', 'keys', 'en')).toThrow('(keys)');
});
