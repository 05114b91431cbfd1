import { join } from 'node:path';
import { readBilingual } from './bilingual.ts';
import { readLexicon } from './lexicon.ts';
import type { FieldsDeps } from './tool-fields.ts';

/** The words that selection knows, from the folder `assets/selection`. Throws where a file is absent or torn: they ship with Gantry. */
export const readSelectionWords = (folder: string): FieldsDeps => ({ lexicon: readLexicon(join(folder, 'lexicon.bin')), bilingual: readBilingual(join(folder, 'zh-en.json.gz')) });
