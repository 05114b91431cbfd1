import type { Conversation, ConversationRun } from '../../../shared/conversation.ts';
import { disarmMarkdown } from './disarm-markdown.ts';

/** A call of a question, in the window's language. */
export interface FiledCall {
  readonly name: string;
  /** what tells it from others of its tool; may be empty */
  readonly told: string;
  readonly outcome: string;
  readonly id: string;
}
export interface FiledRun {
  readonly one: ConversationRun;
  readonly calls: readonly FiledCall[];
  /** calls that are not listed */
  readonly more: number;
  readonly ending: string | null;
  /** of each label that is cited */
  readonly standings: ReadonlyMap<string, string>;
}
/** `when`: a time in ms in words. */
export interface FileWords {
  readonly about: string;
  readonly earlier: string | null;
  readonly asked: (at: number, when: string) => string;
  readonly when: (ms: number) => string;
  readonly along: string;
  readonly calls: string;
  readonly more: (count: number) => string;
  readonly answer: (model: string) => string;
  readonly cites: string;
  readonly record: (runId: string, headHash: string) => string;
  readonly gone: string;
}

const quoted = (text: string): string => disarmMarkdown(text).split('\n').map((line) => `> ${line}`).join('\n');
/** Names of servers and files are no Markdown: what could be is escaped. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|!]/g, (found) => `\\${found}`);

const sectionOf = ({ one, calls, more, ending, standings }: FiledRun, at: number, words: FileWords): string => {
  const { run, prompt, along = [], answer, model } = one;
  return [
    `## ${words.asked(at + 1, run === undefined ? '' : words.when(run.startedAt)).trim()}`,
    quoted(prompt),
    ...(along.length === 0 ? [] : [`${words.along}: ${along.map(({ name }) => plain(name)).join(', ')}`]),
    ...(calls.length === 0 ? [] : [`### ${words.calls}`, [...calls.map(({ name, told, outcome, id }) => `- ${plain(name)}${told === '' ? '' : ` (${plain(told)})`}: ${plain(outcome)} \`${id}\``), ...(more === 0 ? [] : [`- ${words.more(more)}`])].join('\n')]),
    ...(answer === null || answer.text.trim() === '' ? [] : [`### ${words.answer(plain(model))}`, disarmMarkdown(answer.text.trim())]),
    ...(ending === null ? [] : [ending]),
    ...(standings.size === 0 ? [] : [`### ${words.cites}`, [...standings].map(([label, standing]) => `- ${label}: ${standing}${answer?.citations.results[label] === undefined ? '' : ` \`${answer.citations.results[label]}\``}`).join('\n')]),
    run === undefined ? words.gone : words.record(run.id, run.headHash ?? ''),
  ].join('\n\n');
};

/** A conversation as Markdown that reads on its own: each question with its calls, its answer, what that cites and whether it holds, and the record that proves it. */
export const conversationFile = ({ title }: Pick<Conversation, 'title'>, runs: readonly FiledRun[], words: FileWords): string =>
  `${[`# ${plain(title)}`, words.about, ...(words.earlier === null ? [] : [words.earlier]), ...runs.map((run, at) => sectionOf(run, at, words))].join('\n\n')}\n`;

/** Devices of Windows, whatever follows a point. */
const RESERVED = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³])(?: *\.|$)/i;

/** Of a title in any script, without what file systems refuse. */
export const conversationFileName = (title: string): string => {
  // eslint-disable-next-line no-control-regex
  const name = title.normalize('NFC').replace(/[\u0000-\u001f\u007f"*/:<>?\\|\p{C}]+/gu, ' ').replace(/\s+/g, ' ').trim().slice(0, 60).toWellFormed().replace(/[. \ufffd]+$/, '');
  return `${name === '' ? 'conversation' : RESERVED.test(name) ? `_${name}` : name}.md`;
};
