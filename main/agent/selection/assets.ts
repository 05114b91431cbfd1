import { join } from 'node:path';
import { readBilingual } from './bilingual.ts';
import { readKinds } from './kinds.ts';
import { readLexicon } from './lexicon.ts';
import { readSenses } from './senses.ts';
import type { FieldsDeps } from './tool-fields.ts';

/** The words that selection knows, from the folder `assets/selection`. Throws where a file is absent or torn: they ship with Gantry. */
export const readSelectionWords = async (folder: string): Promise<FieldsDeps> => {
  const [lexicon, bilingual, kinds, senses] = await Promise.all([
    readLexicon(join(folder, 'lexicon.bin')),
    readBilingual(join(folder, 'zh-en.txt.gz'), join(folder, 'zh-simple.txt')),
    readKinds(join(folder, 'kinds.txt.gz')),
    readSenses(join(folder, 'senses.bin')),
  ]);
  return { lexicon, bilingual, kinds, senses };
};
