// The tables of the guide that stand in the code already: keys, failures, result classes, whom Gantry contacts. `npm run guide` writes them into its pages.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resources } from '../renderer/i18n/resources.ts';
import { KEYS, type KeyGroup } from '../renderer/parts/keys.ts';
import { FAULT_CODES, type Layer } from '../shared/fault-codes.ts';
import { OUTBOUND_PURPOSES } from '../shared/outbound.ts';

export const GUIDE_LANGUAGES = ['en', 'zh'] as const;
export type GuideLanguage = (typeof GUIDE_LANGUAGES)[number];

const GUIDE = fileURLToPath(new URL('../docs/guide', import.meta.url));

/** Words for what only the guide names: the layer that proves a failure, and the heads of its tables. */
const WORDS = {
  en: {
    layer: { contract: 'the request', selection: 'choice of the tool', policy: 'your rules', transport: 'the connection', server: 'the server', store: 'the database', install: 'the installation', secrets: 'the secret store', shell: 'Gantry itself' },
    code: 'Code', where: 'Where', what: 'What happened', remedy: 'What to do', key: 'Key', does: 'What it does', klass: 'Class', means: 'What it means', whom: 'Whom', when: 'When',
  },
  zh: {
    layer: { contract: '请求', selection: '工具的选择', policy: '规则', transport: '连接', server: '服务器', store: '数据库', install: '安装', secrets: '密钥存储', shell: 'Gantry 自身' },
    code: '代码', where: '环节', what: '发生了什么', remedy: '怎么办', key: '按键', does: '作用', klass: '类别', means: '含义', whom: '对象', when: '时机',
  },
} as const satisfies Readonly<Record<GuideLanguage, { readonly layer: Readonly<Record<Layer, string>> } & Readonly<Record<string, unknown>>>>;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');

const keyTable = (language: GuideLanguage): string => {
  const words = resources[language].app.keys;
  const named = (key: string): string => (key === 'Mod' ? 'Ctrl / Cmd' : key.length > 1 ? (words.key as Readonly<Record<string, string>>)[key]! : /[a-z]/.test(key) ? key.toUpperCase() : key);
  const press = (keys: string): string => keys.split(' ').map((one) => one.split(/\+(?=.)/).map((key) => `\`${named(key)}\``).join(' + ')).join(` ${words.then} `);
  const rows = (Object.keys(KEYS) as KeyGroup[]).flatMap((group) =>
    Object.entries(KEYS[group]).map(([name, keys]) => [words.group[group], (keys as readonly string[]).map(press).join(` ${words.or} `), (words[group] as Readonly<Record<string, string>>)[name]!]));
  return table([WORDS[language].where, WORDS[language].key, WORDS[language].does], rows);
};

const failureTable = (language: GuideLanguage): string => {
  const words = WORDS[language];
  return table([words.code, words.where, words.what, words.remedy], Object.entries(FAULT_CODES).map(([code, { layer }]) => [`\`${code}\``, words.layer[layer], resources[language].code[code]!.sentence, resources[language].code[code]!.remedy]));
};

const resultTable = (language: GuideLanguage): string => table([WORDS[language].klass, WORDS[language].means], Object.entries(resources[language].parts.result.class).map(([name, means]) => [`\`${name}\``, means]));

const contactTable = (language: GuideLanguage): string => {
  const { reason, when } = resources[language].settings.network.contacts;
  return table([WORDS[language].whom, WORDS[language].when], OUTBOUND_PURPOSES.map((name) => [reason[name], when[name]]));
};

const TABLES = { keys: keyTable, failures: failureTable, results: resultTable, contacts: contactTable } as const;
type TableName = keyof typeof TABLES;

/** Where each table stands: the page, and the line before it. A link definition that nothing uses is drawn by no reader of Markdown. */
export const TABLE_PAGES: Readonly<Record<TableName, string>> = { keys: 'keys', failures: 'failures', results: 'facts', contacts: 'network' };
const markOf = (name: TableName): string => `[table]: # (${name})`;

/** The page with its table as the code has it now. Throws where the page does not say where the table goes. */
export const withTable = (page: string, name: TableName, language: GuideLanguage): string => {
  const mark = markOf(name);
  const at = page.indexOf(mark);
  if (at < 0) throw new Error(`The page has no place for its table: ${mark}`);
  const rest = page.slice(at + mark.length).replace(/^\n*(?:\|.*(?:\n|$))*/, '');
  return `${page.slice(0, at)}${mark}\n\n${TABLES[name](language)}\n${rest === '' ? '' : `\n${rest.replace(/^\n+/, '')}`}`;
};

export const pagePath = (language: GuideLanguage, page: string): string => join(GUIDE, language, `${page}.md`);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const language of GUIDE_LANGUAGES) {
    for (const [name, page] of Object.entries(TABLE_PAGES) as [TableName, string][]) {
      const path = pagePath(language, page);
      writeFileSync(path, withTable(readFileSync(path, 'utf8'), name, language));
    }
  }
}
