/** Stems of the words of each line of stdin, identifiers by their parts, words without a subject and Chinese left out. Usage: node packaging/selection/stems.ts < texts */
import { readFileSync } from 'node:fs';
import { chunksOf, stemOf, STOP } from '../../main/agent/selection/words.ts';

const stems = (line: string): string => chunksOf(line.replaceAll(/[_/.-]/g, ' ')).flatMap(({ word, parts, han }) => (han ? [] : (parts ?? [word]).filter((part) => !STOP.has(part)).map(stemOf))).join(' ');
process.stdout.write(readFileSync(0, 'utf8').split('\n').map(stems).join('\n'));
