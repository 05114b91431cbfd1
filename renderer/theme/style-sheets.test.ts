import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const renderer = fileURLToPath(new URL('..', import.meta.url));

/** Classes that have more than one rule of their own; what stands in a media query is another's variant. */
const writtenTwice = (sheet: string): readonly string[] => {
  const plain = sheet.replace(/\/\*[\s\S]*?\*\//g, '').replace(/@[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '');
  const names = [...plain.matchAll(/([^{}]+)\{/g)].map((found) => found[1]!.trim()).filter((selector) => /^\.[\w-]+$/.test(selector));
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
};

test('U152 a class has one rule of its own in its sheet', () => {
  expect(writtenTwice('.a { margin: 0; }\n.b { margin: 0; }\n@media print { .b { margin: 0; } }\n.a { margin: 8px; }')).toEqual(['.a']);
  const sheets = globSync('**/*.module.css', { cwd: renderer });
  expect(sheets.length).toBeGreaterThan(20);
  expect(sheets.flatMap((name) => writtenTwice(readFileSync(`${renderer}/${name}`, 'utf8')).map((twice) => `${name}: ${twice}`))).toEqual([]);
});
