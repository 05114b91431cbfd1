/** Letters that look like ASCII ones (a small cut of Unicode UTS 39's confusables; lower case, after NFKD). */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  // Cyrillic
  а: 'a', в: 'b', с: 'c', ԁ: 'd', е: 'e', ѐ: 'e', һ: 'h', н: 'h', і: 'l', ӏ: 'l', ј: 'j', к: 'k', м: 'm', о: 'o', р: 'p', ԛ: 'q', г: 'r', ѕ: 's', т: 't', у: 'y', ѵ: 'v', ԝ: 'w', х: 'x', з: '3', ь: 'b', п: 'n',
  // Greek
  α: 'a', β: 'b', ϲ: 'c', ε: 'e', η: 'n', ι: 'l', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x', γ: 'y', ω: 'w', μ: 'u', ζ: 'z',
  // Armenian, Latin extensions
  օ: 'o', ո: 'n', ս: 'u', հ: 'h', ց: 'g', ı: 'l', ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ɑ: 'a', ɡ: 'g', ɩ: 'l', ſ: 's', ƅ: 'b', ʏ: 'y', ᴏ: 'o',
  // digits and strokes
  '0': 'o', '1': 'l', i: 'l', '|': 'l', '5': 's',
};

/**
 * What a name looks like: two names with one skeleton may be taken for each other (S09, S11). Case, width, accents, invisible characters and the
 * separators `. - _ /` and space do not count.
 */
export const skeleton = (name: string): string => {
  let out = '';
  for (const char of name.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '').toLowerCase()) out += LOOK_ALIKES[char] ?? char;
  return out.replaceAll('rn', 'm').replaceAll('vv', 'w').replace(/[.\-_/\s]+/gu, '_');
};

/** A name of letters from several scripts that are not written together. */
export const mixesScripts = (name: string): boolean => {
  const scripts = ['Latin', 'Cyrillic', 'Greek', 'Armenian'].filter((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(name));
  return scripts.length > 1;
};
