import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomFrom } from '../e2e/fixtures/full-folder/random.ts';
import type { CatalogFile } from '../shared/market.ts';
import { ENTRY_KINDS, type EntryKind } from '../shared/market-facets.ts';
import { MARKET_CATEGORY_NAMES } from '../shared/market-categories.ts';
import { TIERS } from '../shared/tier.ts';

const assets = fileURLToPath(new URL('../assets', import.meta.url));

export const realEntries = (): CatalogFile[] => readdirSync(join(assets, 'catalog')).map((file) => JSON.parse(readFileSync(join(assets, 'catalog', file), 'utf8')) as CatalogFile);

const SYLLABLES = ['ba', 'co', 'da', 'fi', 'gra', 'hy', 'ka', 'lo', 'mi', 'no', 'pra', 'qui', 'ro', 'sta', 'tri', 'u', 've', 'wa', 'xe', 'zo', 'lin', 'mar', 'ner', 'pol', 'ser', 'tor'];

/** As many entries as asked, of the words, kinds and lengths of the real ones, names invented: about 30,000 different words in 20,000 entries. */
export const syntheticEntries = (count: number): CatalogFile[] => {
  const random = randomFrom(20_261_130);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const real = realEntries();
  const english = real.flatMap((entry) => entry.description.en.replace('.', '').split(' '));
  const chinese = [...new Set(real.flatMap((entry) => [...new Intl.Segmenter('zh', { granularity: 'word' }).segment(entry.description.zh)].map(({ segment }) => segment)))].filter((word) => /\p{Script=Han}/u.test(word));
  const tools = [...new Set(real.flatMap((entry) => entry.reviewedTools))];
  const invented = (): string => Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(SYLLABLES)).join('');
  const textOf = <T>(from: readonly T[], least: number, most: number): T[] => Array.from({ length: least + Math.floor(random() * (most - least)) }, () => pick(from));
  return Array.from({ length: count }, (_, at): CatalogFile => {
    const kind: EntryKind = pick(ENTRY_KINDS.filter((one) => one !== 'builtin' && one !== 'command'));
    const name = `${invented()} ${random() < 0.5 ? pick(real).name.split(' ')[0] : invented()}`;
    const slug = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${at}`;
    const reviewedTools = random() < 0.3 ? textOf(tools, 1, 20) : [];
    return {
      id: slug,
      name: name[0]!.toUpperCase() + name.slice(1),
      publisher: invented(),
      description: { en: `${textOf(english, 8, 20).join(' ')}.`, zh: `${textOf(chinese, 8, 20).join('')}。` },
      kind,
      transport: kind === 'remote' ? 'streamable-http' : 'stdio',
      spec: kind === 'remote' ? { kind: 'http', url: `https://mcp.${invented()}.example/mcp` } : kind === 'npm' ? { kind, package: `@${invented()}/${slug}`, version: '1.0.0' } : kind === 'pypi' ? { kind: 'command', command: 'uvx', args: ['--from', `${slug}==1.0`, slug] } : { kind: 'command', command: 'docker', args: ['run', '-i', '--rm', `${slug}:1.0`] },
      ...(kind === 'pypi' ? { package: { registry: kind, name: slug, version: '1.0', program: slug } } : kind === 'oci' ? { package: { registry: kind, image: slug, tag: '1.0' } } : {}),
      inputs: pick(real).inputs,
      licence: 'MIT',
      categories: [pick(MARKET_CATEGORY_NAMES)],
      highestTier: pick(TIERS),
      verified: reviewedTools.length > 0,
      source: [{ facts: ['package'], from: 'registry_sample', ref: slug }],
      checkedAt: '2026-11-30',
      reviewer: 'bench',
      reviewedTools,
    };
  });
};

/** A folder of assets whose catalog holds these entries beside what Gantry ships. */
export const writeAssets = (dir: string, entries: readonly CatalogFile[]): string => {
  const catalog = join(dir, 'catalog');
  mkdirSync(catalog, { recursive: true });
  for (const name of readdirSync(assets)) if (name !== 'catalog') symlinkSync(join(assets, name), join(dir, name));
  for (const entry of entries) writeFileSync(join(catalog, `${entry.id}.json`), JSON.stringify(entry));
  return dir;
};

/** Searches as people type them: words of the entries, cut short, with a typo, two together, in both languages. */
export const typedQueries = (entries: readonly CatalogFile[], count: number): string[] => {
  const random = randomFrom(7);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const word = (): string => pick(pick(entries).description.en.replace(/[^A-Za-z ]/g, '').split(' ').filter((one) => one.length > 3)) ?? 'files';
  const typo = (text: string): string => {
    const at = 1 + Math.floor(random() * (text.length - 2));
    return text.slice(0, at) + text[at + 1]! + text[at]! + text.slice(at + 2);
  };
  return Array.from({ length: count }, (_, at) => {
    switch (at % 6) {
      case 0:
        return pick(entries).name;
      case 1:
        return `${word()} ${word()}`;
      case 2:
        return typo(`${word()}xyz`.slice(0, 8));
      case 3:
        return pick(entries).description.zh.slice(0, 2 + Math.floor(random() * 4));
      case 4:
        return pick(entries).publisher;
      default:
        return word();
    }
  });
};
