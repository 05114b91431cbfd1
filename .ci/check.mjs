// What no compiler says: sizes, names, words that do not belong. `node .ci/check.mjs`
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listFiles } from './list-files.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const MAX_LINES = 400;
const CODE = /\.[cm]?[jt]sx?$/;
const TEXT = /(\.([cm]?[jt]sx?|json|md|css|html|ya?ml|svg|txt|sh)|(^|\/)(run|\.npmrc|\.gitignore))$/;
const TEST = /(\.test\.|\.spec\.|\.fixture\.|^e2e\/|^bench\/|^\.ci\/)/;

/** Names that say nothing; a class or a component may not end in them either. */
const EMPTY_NAME = /(?:^|[-.])(?:utils?|helpers?|managers?|services?|impl|common|misc)(?=[-.]|$)|(?:Utils?|Helpers?|Manager|Service|Impl|Common)(?=\.|$)/;

const WORDS = [
  // written with classes so that this file does not hold them itself
  { name: 'a registry host', pattern: /registry\.np[m]js\.org|registry\.yarn[p]kg\.com|registry\.npm[m]irror\.com|deb\.deb[i]an\.org|files\.python[h]osted\.org/, where: TEXT },
  { name: 'a path of one machine', pattern: /(?:^|[^\w.)}])\/(?:wor[k]|far[m])\/|\/tm[p]\/bash_|\/hom[e]\/[a-z]+\/(?:gantry|main)\b/, where: TEXT },
  { name: 'an unfinished marker', pattern: /\b(?:TOD[O]|FIXM[E]|XX[X]|HAC[K])\b|not implemente[d]/, where: CODE },
  { name: 'a test that shuts out the others', pattern: /\b(?:test|it|describe)\.onl[y]\b/, where: CODE },
  { name: 'a connection past main/network', pattern: /\b(?:globalThis|window|self)\s*(?:\.|\[\s*['"`])\s*(?:fetc[h]|WebSocke[t]|EventSourc[e]|XMLHttpReques[t])\b|sendBeaco[n]/, where: /^(?:main|shared|preload|renderer)\/.*\.[cm]?[jt]sx?$/ },
  { name: 'a character that hides or turns text', pattern: /[\u200b\u202a-\u202e\u2066-\u2069\ufeff]/, where: CODE },
];

/** A statement of SQL inside a string or template, not a sentence that happens to say "select". */
const SQL = /['"`]\s*(?:SELECT\s[^'"`]*\sFROM\s|INSERT\s+(?:OR\s+\w+\s+)?INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|CREATE\s+(?:TABLE|INDEX)\s|PRAGMA\s)/;

/** Complaints, one line each, for files given as [path, text]. */
export const checkFiles = (files) => {
  const complaints = [];
  for (const [path, text] of files) {
    const base = path.split('/').at(-1);
    if (CODE.test(path)) {
      const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
      if (lines > MAX_LINES) complaints.push(`${path}: ${lines} lines, more than ${MAX_LINES}`);
      if (path.split('/').some((part) => EMPTY_NAME.test(part.replace(/\.(test|full|spec|fixture|d)(?=\.)/g, '').replace(CODE, '')))) complaints.push(`${path}: a name that says nothing`);
      if (/^types\.[cm]?tsx?$/.test(base)) complaints.push(`${path}: types belong to their noun`);
      if (/^index\.[cm]?[jt]sx?$/.test(base)) complaints.push(`${path}: a barrel`);
      if (/^main\/(?!store\/)/.test(path) && !TEST.test(path) && SQL.test(text)) complaints.push(`${path}: SQL outside main/store`);
    }
    for (const { name, pattern, where } of WORDS) {
      if (!where.test(path)) continue;
      const line = text.split('\n').findIndex((one) => pattern.test(one));
      if (line >= 0) complaints.push(`${path}:${line + 1}: ${name}`);
    }
  }
  return complaints;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = listFiles(ROOT).filter((path) => TEXT.test(path)).map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]);
  const complaints = checkFiles(files);
  complaints.forEach((line) => console.log(line));
  console.log(`${files.length} files, ${complaints.length} complaints`);
  process.exitCode = complaints.length > 0 || files.length === 0 ? 1 : 0;
}
