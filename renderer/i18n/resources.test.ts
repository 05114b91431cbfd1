import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { desktopWords } from '../../main/shell/electron/desktop-words.ts';
import { VOID_CAUSES } from '../../shared/approval.ts';
import { CAPABILITY_FLAGS } from '../../shared/capability-flags.ts';
import { SCHEMA_DEFECTS } from '../../shared/capability.ts';
import { FAULT_CODES } from '../../shared/fault-codes.ts';
import { ReachedPlaceSchema } from '../../shared/server.ts';
import { resources } from './resources.ts';
import { languageOf } from './start-i18n.ts';

type Words = { readonly [key: string]: string | Words };

const flat = (words: Words, prefix = ''): ReadonlyMap<string, string> =>
  new Map(Object.entries(words).flatMap(([key, value]) => (typeof value === 'string' ? [[`${prefix}${key}`, value] as const] : [...flat(value, `${prefix}${key}.`)])));
const withoutPlural = (key: string): string => key.replace(/_(one|other)$/, '');
const languages = { en: flat(resources.en as unknown as Words), zh: flat(resources.zh as unknown as Words) };
const keysOf = (language: 'en' | 'zh'): string[] => [...new Set([...languages[language].keys()].map(withoutPlural))].sort();
const placeholders = (text: string): string => [...new Set(text.match(/\{\{\s*\w+/g) ?? [])].sort().join(' ');

test('U05 English and Chinese have the same keys', () => {
  expect(keysOf('zh')).toEqual(keysOf('en'));
});

test('U05 no word is empty, and none is a copy of the other language where it is a sentence', () => {
  for (const [, words] of Object.entries(languages)) expect([...words].filter(([, text]) => text.trim() === '').map(([key]) => key)).toEqual([]);
  const untranslated = [...languages.zh].filter(([, text]) => /[a-z]{3,} [a-z]{3,} [a-z]{3,}/i.test(text) && !/[\u4e00-\u9fff]/.test(text)).map(([key]) => key);
  expect(untranslated).toEqual([]);
});

test('U05 both languages fill in the same places', () => {
  const different = [...languages.en].filter(([key, text]) => {
    const other = languages.zh.get(key) ?? languages.zh.get(`${withoutPlural(key)}_other`);
    const own = key.endsWith('_one') ? (languages.en.get(`${withoutPlural(key)}_other`) ?? text) : text;
    return other !== undefined && placeholders(own) !== placeholders(other);
  });
  expect(different.map(([key]) => key)).toEqual([]);
});

test('U06 every fault code has its sentence and its remedy in both languages, and nothing else has', () => {
  for (const language of [resources.en, resources.zh]) expect(Object.keys(language.code).sort()).toEqual(Object.keys(FAULT_CODES).sort());
});

test('U150 causes that have a way out of their own have it in both languages', () => {
  const causes = (codes: typeof resources.en.code): string[] => Object.entries(codes).flatMap(([code, { because = {} }]) => Object.keys(because).map((cause) => `${code} ${cause}`));
  expect(causes(resources.en.code)).toEqual(causes(resources.zh.code));
  expect(causes(resources.en.code)).toEqual(expect.arrayContaining(['conflict exists', 'file_unreadable absent', 'file_unreadable link', 'certificate_unfit not_pem']));
});

test('U70 what the host says by code has its words in both languages', () => {
  for (const language of [resources.en, resources.zh]) {
    expect(Object.keys(language.parts.void).sort()).toEqual([...VOID_CAUSES].sort());
    expect(Object.keys(language.parts.schema_defect).sort()).toEqual([...SCHEMA_DEFECTS].sort());
    expect(Object.keys(language.parts.flag).sort()).toEqual([...CAPABILITY_FLAGS].sort());
    expect(Object.keys(language.servers.reached).sort()).toEqual([...ReachedPlaceSchema.shape.what.options].sort());
  }
});

test('U98 the Chinese words address the person in one way', () => {
  expect([...languages.zh].filter(([, text]) => text.includes('您')).map(([key]) => key)).toEqual([]);
  expect(JSON.stringify(desktopWords.zh)).not.toContain('您');
});

test('U05 the words hold no exclamation marks', () => {
  for (const words of Object.values(languages)) expect([...words].filter(([, text]) => /[!！]/.test(text)).map(([key]) => key)).toEqual([]);
});

test('U07 every word that a component asks for by name exists', () => {
  const root = join(import.meta.dirname, '..');
  const asked = (readdirSync(root, { recursive: true }) as string[])
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
    .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(/\bt\(\s*'([\w.]+)'/g)].map((match) => `${match[1]!} (${path})`));
  const known = new Set([...keysOf('en'), ...languages.en.keys()]);
  expect(asked.filter((entry) => !known.has(entry.split(' ')[0]!))).toEqual([]);
});

test('U08 the language follows the setting, then the system, then English', () => {
  expect(languageOf('zh', ['en-GB'])).toBe('zh');
  expect(languageOf('system', ['zh-TW', 'en'])).toBe('zh');
  expect(languageOf('system', ['fr-FR', 'zh-CN'])).toBe('zh');
  expect(languageOf('system', ['fr-FR'])).toBe('en');
});
