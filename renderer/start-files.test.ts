// @vitest-environment node
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { GUIDE_PICTURES } from '../e2e/support/guide-pictures.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
let files: Rolldown.RolldownOutput['output'];
beforeAll(async () => {
  const built = await build({ configFile: `${root}vite.config.ts`, root: `${root}renderer`, logLevel: 'silent', build: { write: false } });
  files = (Array.isArray(built) ? built[0]! : (built as Rolldown.RolldownOutput)).output;
});

const textOf = (file: (typeof files)[number]): string => (file.type === 'chunk' ? file.code : String(file.source));
/** Mantine's class names are hashes; its sheets and its code name the same ones. */
const marks = (text: string): ReadonlySet<string> => new Set(text.match(/\bm_[0-9a-f]{5,8}\b/g) ?? []);

test('U95 every component of Mantine that the window draws has its sheet in it', () => {
  const whole = marks(readFileSync(createRequire(import.meta.url).resolve('@mantine/core/styles.css'), 'utf8'));
  const drawn = marks(files.filter((file) => file.type === 'chunk').map(textOf).join('\n'));
  const styled = marks(files.filter((file) => file.fileName.endsWith('.css')).map(textOf).join('\n'));
  const wanted = [...drawn].filter((mark) => whole.has(mark));
  expect(wanted.length).toBeGreaterThan(50);
  expect(wanted.filter((mark) => !styled.has(mark))).toEqual([]);
});

test('U96 the start of the window is one script and one sheet, and fetches no further file of its own', () => {
  const page = textOf(files.find((file) => file.fileName === 'index.html')!);
  expect(page.match(/(?:src|href)="[^"]+\.(?:js|css)"/g)).toHaveLength(2);
  const entry = files.find((file): file is Rolldown.OutputChunk => file.type === 'chunk' && file.isEntry)!;
  expect(entry.imports).toEqual([]);
});

test('U132 the guide is in the built window: its texts in a script of their own for each language, its pictures as files', () => {
  expect(files.filter((file) => file.fileName.endsWith('.webp'))).toHaveLength(2 * GUIDE_PICTURES.length);
  const chunks = files.filter((file): file is Rolldown.OutputChunk => file.type === 'chunk');
  for (const title of ['# The main job', '# 主要流程']) {
    const holders = chunks.filter((chunk) => chunk.code.includes(title));
    expect(holders).toHaveLength(1);
    expect(holders[0]!.isEntry).toBe(false);
  }
});
