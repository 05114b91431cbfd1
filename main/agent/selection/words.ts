import stemmer from 'wink-porter2-stemmer';

/** A run of letters or digits of one script, lower case, and its parts where it was written in camelCase. */
export interface Chunk {
  readonly word: string;
  readonly parts: readonly string[] | null;
  readonly han: boolean;
}

const RUN = /[\p{Script=Latin}]+|\p{Nd}+|\p{Script=Han}+|[\p{L}\p{M}]+/gu;
const LONGEST_WORD = 40;

/** The chunks of a text, in order. Whole words of up to 40 letters; what is longer is no word. */
export const chunksOf = (text: string): Chunk[] => {
  const out: Chunk[] = [];
  for (const [run] of text.normalize('NFKC').replace(/(?<=[A-Za-z])['’]s\b/g, '').matchAll(RUN)) {
    const han = /^\p{Script=Han}/u.test(run);
    if (!han && run.length > LONGEST_WORD) continue;
    const parts = han ? [] : run.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2').toLowerCase().split(' ');
    out.push({ word: run.toLowerCase(), parts: parts.length > 1 ? parts : null, han });
  }
  return out;
};

const stems = new Map<string, string>();
const MOST_STEMS = 60_000;

/** Porter2 stem of an English word; other words as they are. */
export const stemOf = (word: string): string => {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem: string = /^[a-z]+$/.test(word) ? stemmer(word) : word;
  if (stems.size >= MOST_STEMS) stems.clear();
  stems.set(word, stem);
  return stem;
};

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that carry no subject. */
export const STOP = set(
  "a an the of to in on for and or is are be with by at from as it its this that these those i you me my we our your can could would should please want need help like would how what which who do does did have has had will if about into just some any there them they their also so us using use used let know am was were been being not no but than then when where why while up out more most other such only own same too very s t don now im ve d ll hi hello hey",
);
/** Nouns that say which side of a thing is asked for, not which thing. */
export const LIGHT = set(
  'detail details information info list content contents name names property properties value values data configuration configurations setting settings status number count type types one some overview summary set kind kinds item items record records result results',
);
export const PREPOSITIONS = set('in of for from with to into on under within at by using and that whose where including via through inside');
/** Verbs of looking: they tell tools apart too little to be searched for. */
export const LOOKING = set('get show list display retrieve fetch view find see give tell check');

const VERB_CLASSES = {
  list: 'list enumerate browse listing all',
  get: 'get show read fetch retrieve view describe display details detail lookup check inspect obtain return access load see',
  search: 'search find query filter lookup discover locate look',
  create: 'create add new make generate insert register build provision setup init initialize compose write start open',
  update: 'update set modify edit change configure rename adjust replace patch enable disable assign move',
  delete: 'delete remove drop clear destroy erase purge uninstall cancel unset',
  run: 'run execute invoke perform trigger start launch call deploy',
  send: 'send post publish share notify message submit upload push',
  convert: 'convert transform translate parse format extract',
  analyze: 'analyze analyse compare evaluate assess calculate compute summarize review measure estimate recommend suggest validate verify plan design',
} as const;
export type VerbClass = keyof typeof VERB_CLASSES;
export const READING: ReadonlySet<VerbClass> = new Set(['list', 'get', 'search']);

const classes = new Map<string, ReadonlySet<VerbClass>>();
for (const [verbClass, words] of Object.entries(VERB_CLASSES)) {
  for (const word of words.split(' ')) classes.set(word, new Set([...(classes.get(word) ?? []), verbClass as VerbClass]));
}
/** What doing a word may mean; undefined where it is no verb that is told apart. */
export const verbClassesOf = (word: string): ReadonlySet<VerbClass> | undefined => classes.get(word);
/** The same for the third person and the gerund that descriptions begin with ("Lists all ...", "Creating a ..."). */
export const inflectedVerbClassesOf = (word: string): ReadonlySet<VerbClass> | undefined => classes.get(word) ?? classes.get(word.replace(/s$/, '')) ?? classes.get(word.replace(/ing$/, ''));

/** Verbs that are as often the noun in the middle of a tool's name ("search_index_list"). */
export const NOUN_IN_NAMES = set(
  'search query display plan design start open access add format load test run view post message monitor index set measure move register lookup filter review estimate details',
);
