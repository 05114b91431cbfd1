/**
 * Writes assets/selection/kinds.txt.gz from the texts in `kinds/`: blocks of `# name`, `says: ...; ...`, `asked: ...; ...` and `zh: ...; ...`. Blocks of one name are
 * one kind. Usage: node packaging/selection/kinds.ts <assets/selection>
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chunksOf, LIGHT, LOOKING, stemOf, STOP, verbClassesOf } from '../../main/agent/selection/words.ts';

/** A word of a phrase tells so much of what the phrase tells; more phrases with it tell more, so far. */
const OF_PHRASE = 0.35;
const MOST = 1.5;
/** What any tool may say. */
const GENERAL = 0.3;
/** What more kinds have tells none from another. */
const MOST_KINDS = 60;
const LONGEST_PHRASE = 5;
const SAID_OF_ALL = new Set('tool tools app service provide support manage user various based online personal tailored experience help best easy quick free top latest learn today week day year time'.split(' ').map(stemOf));

const [to] = process.argv.slice(2);
if (!to) throw new Error('usage: kinds.ts <assets/selection>');
const folder = new URL('kinds/', import.meta.url);

interface Kind {
  readonly says: Set<string>;
  readonly asked: Set<string>;
  readonly zh: Set<string>;
}
const kinds = new Map<string, Kind>();
for (const file of readdirSync(folder).filter((name) => name.endsWith('.txt')).sort()) {
  for (const block of readFileSync(new URL(file, folder), 'utf8').split(/\n\s*\n/)) {
    const name = /^# (\S+)$/m.exec(block)?.[1];
    if (name === undefined) continue;
    const kind = kinds.get(name) ?? { says: new Set([name.replaceAll('-', ' ')]), asked: new Set<string>(), zh: new Set<string>() };
    kinds.set(name, kind);
    for (const [, line, list] of block.matchAll(/^(says|asked|zh): (.*)$/gm)) for (const one of list!.split(/[;；]/)) if (one.trim() !== '') kind[line as keyof Kind].add(one.trim());
  }
}

type Evidence = Map<number, { says: number; asked: number }>;
const terms = new Map<string, Evidence>();
const longest = new Map<string, number>();
let longestHan = 0;
const general = (word: string, stem: string): number => (SAID_OF_ALL.has(stem) || LIGHT.has(word) || LOOKING.has(word) || verbClassesOf(word) ? GENERAL : 1);
const put = (term: string, kind: number, how: 'says' | 'asked', much: number): void => {
  const of: Evidence = terms.get(term) ?? new Map();
  terms.set(term, of);
  const known = of.get(kind) ?? { says: 0, asked: 0 };
  of.set(kind, known);
  known[how] = Math.min(MOST, known[how] + much);
};
for (const [number, [, kind]] of [...kinds].entries()) {
  for (const how of ['says', 'asked'] as const) {
    const phrases = new Map([...kind[how]].map((text) => chunksOf(text).filter(({ han }) => !han)).map((chunks) => [chunks.map(({ word }) => stemOf(word)).join(' '), chunks] as const));
    for (const [phrase, chunks] of phrases) {
      if (chunks.length === 0 || chunks.length > LONGEST_PHRASE) continue;
      const stems = chunks.map(({ word }) => stemOf(word));
      longest.set(stems[0]!, Math.max(longest.get(stems[0]!) ?? 1, stems.length));
      put(phrase, number, how, chunks.length === 1 ? general(chunks[0]!.word, phrase) : 1);
      if (chunks.length > 1) for (const [at, { word }] of chunks.entries()) if (!STOP.has(stems[at]!)) put(stems[at]!, number, how, OF_PHRASE * general(word, stems[at]!));
    }
  }
  for (const word of kind.zh) {
    for (const [run] of word.matchAll(/\p{Script=Han}{2,}/gu)) {
      put(run, number, 'asked', 1);
      longestHan = Math.max(longestHan, run.length);
    }
  }
}
for (const first of longest.keys()) if (!terms.has(first)) terms.set(first, new Map());
for (const [term, of] of terms) if (of.size > MOST_KINDS) terms.set(term, new Map());
const hundredths = (x: number): number => Math.round(x * 100);
const lines = [...terms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([term, of]) => `${term}\t${longest.get(term) ?? 1}\t${[...of].map(([kind, { says, asked }]) => `${kind},${hundredths(says)},${hundredths(asked)}`).join(' ')}`);
writeFileSync(join(to, 'kinds.txt.gz'), gzipSync(`${kinds.size}\t${longestHan}\n${lines.join('\n')}\n`, { level: 9 }));
