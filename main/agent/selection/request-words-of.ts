import { join } from 'node:path';
import type { RequestWords } from '../../market/search/market-request.ts';
import { readBilingual } from './bilingual.ts';
import { LIGHT, LOOKING, STOP, stemOf } from './words.ts';

/** Words that tell an app from another less than its subject does. */
const LITTLE = 0.35;
const SAYS_LITTLE = new Set('current currently present latest new today without via through only app apps application applications tool tools server servers service mcp api thing things something work works'.split(' '));

/** What the ranking of tools knows of words, for the search of the market. `folder`: assets/selection, whose dictionary is read when Chinese is first searched for. */
export const requestWordsOf = (folder: string): RequestWords => {
  let bilingual: ReturnType<typeof readBilingual> | null = null;
  return {
    worthOf: (word) => (STOP.has(word) ? 0 : LIGHT.has(word) || LOOKING.has(word) || SAYS_LITTLE.has(word) ? LITTLE : 1),
    stemOf,
    chinese: async () => {
      const read = await (bilingual ??= readBilingual(join(folder, 'zh-en.txt.gz'), join(folder, 'zh-simple.txt')));
      return (run) => read.wordsOf(run);
    },
  };
};
