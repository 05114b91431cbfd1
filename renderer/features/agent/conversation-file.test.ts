import { expect, test } from 'vitest';
import type { ConversationRun } from '../../../shared/conversation.ts';
import { conversationFile, conversationFileName, type FileWords } from './conversation-file.ts';
import { disarmMarkdown } from './disarm-markdown.ts';

const WORDS: FileWords = {
  about: 'About.', earlier: null, asked: (at, when) => `Question ${at}, ${when}`, when: (ms) => `at ${ms}`, along: 'Along', calls: 'Calls', more: (count) => `${count} more`, answer: (model) => `Answer of ${model}`,
  cites: 'Cites', record: (runId, headHash) => `Record ${runId} ${headHash}`, gone: 'Gone.',
};
const answer = { text: 'It is **so** [r1].\n\n![x](https://tracker.example/p.png)', ending: 'answer' as const, code: null, citations: { cited: ['r1', 'r9'], grounded: ['r1'], notGrounded: [], unknown: ['r9'], results: { r1: 'i-1' } } };
const one = { runId: 'run-1', prompt: 'first\nsecond', modelId: 'm', model: 'tiny', run: { id: 'run-1', startedAt: 5, headHash: 'beef' }, answer, usage: null, along: [{ kind: 'file', name: 'a_b.txt' }] } as unknown as ConversationRun;

test('AP24 a conversation is saved whole and reads on its own: questions, calls, answers, what they cite and whether it holds, and the record', () => {
  const text = conversationFile({ title: 'Plan # 1' }, [{ one, calls: [{ name: 'fs · write_file', told: 'path: /a', outcome: 'A valid result', id: 'i-1' }], more: 2, ending: 'Answered.', standings: new Map([['r1', 'grounded'], ['r9', 'no such result']]) }], WORDS);
  expect(text.split('\n\n')).toEqual([
    '# Plan \\# 1', 'About.', '## Question 1, at 5', '> first\n> second', 'Along: a\\_b.txt', '### Calls', '- fs · write\\_file (path: /a): A valid result `i-1`\n- 2 more', '### Answer of tiny',
    'It is **so** [r1].', '!\\[x](https://tracker.example/p.png)', 'Answered.', '### Cites', '- r1: grounded `i-1`\n- r9: no such result', 'Record run-1 beef\n',
  ]);
  expect(conversationFile({ title: 't' }, [{ one: { ...one, run: undefined, answer: null, along: [] } as unknown as ConversationRun, calls: [], more: 0, ending: null, standings: new Map() }], WORDS)).toContain('Gone.');
});

test('AP24 what a program would fetch or run on showing the file is disarmed outside code, and code stays as it is', () => {
  expect(disarmMarkdown('a <img src=x> ![p](https://t.example/p) `<b> ![`, 1 < 2')).toBe('a \\<img src=x> !\\[p](https://t.example/p) `<b> ![`, 1 < 2');
  expect(disarmMarkdown('```html\n<b>![x](y)\n```\n<b>')).toBe('```html\n<b>![x](y)\n```\n\\<b>');
  expect(disarmMarkdown('~~~\n<open>')).toBe('~~~\n<open>\n~~~');
});

test('AP24 the file is named by the title in any script, without what file systems refuse', () => {
  expect(conversationFileName('周五: 发布/计划?')).toBe('周五 发布 计划.md');
  expect(conversationFileName('..')).toBe('conversation.md');
  expect(conversationFileName(`${'long '.repeat(40)}`).length).toBeLessThan(65);
});
