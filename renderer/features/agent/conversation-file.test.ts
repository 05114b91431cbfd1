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

test('AP24 a link stays one only where its destination is plainly an address of the web', () => {
  for (const kept of ['[a](https://x.example/p)', '[a]( HTTP://x.example "t")', '[a]: https://x.example', '`[a](javascript:b)`', '(a) [b] c: d']) expect(disarmMarkdown(kept)).toBe(kept);
  for (const [text, told] of [
    ['[a](javascript:alert(1))', '[a]\\(javascript:alert(1))'], ['[a](java&#115;cript:b)', '[a]\\(java&#115;cript:b)'], ['[a](<javascript:b>)', '[a]\\(\\<javascript:b>)'], ['[a](\njavascript:b)', '[a]\\(\njavascript:b)'],
    ['[a](file:///etc/passwd)', '[a]\\(file:///etc/passwd)'], ['[a][b]\n\n[b]: javascript:c', '[a][b]\n\n[b]\\: javascript:c'], ['> [b]:\n> data:c', '> [b]\\:\n> data:c'],
  ]) expect(disarmMarkdown(text!)).toBe(told);
});

test('AP24 what only looks like code is disarmed', () => {
  const picture = '![p](https://t.example/p)';
  const looks = [
    '\\`PIC\\`', '` PIC ``', 'a `\nb ` PIC ` c', 'a | `b | PIC` |', '    ```\n\nPIC', '- ```\n  x\n  ```\n\nPIC', '- a\n  ~~~\nPIC', '``` `\nPIC', '~~~\n    ~~~\n~~~\nPIC', '~~~\r~~~\rPIC', '~~~\n\u00a0~~~\n~~~\nPIC', '~~~\n~~~ x\n~~~\nPIC',
  ];
  for (const text of looks) expect(disarmMarkdown(text.replace('PIC', picture)), JSON.stringify(text)).not.toContain(picture);
  for (const code of ['`` ` PIC ``', '\\\\`PIC`', '~~~\n   ~~\nPIC\n~~~', 'a `\n\n`PIC`', '```js `x\nb\n\n`PIC`', '`a`|`PIC`']) expect(disarmMarkdown(code.replace('PIC', picture)), JSON.stringify(code)).toContain(picture);
});

test('AP24 a long text is disarmed in time that grows with its length', () => {
  for (const text of ['`'.repeat(500_000), `${'`'.repeat(500_000)}\rx`, '` `` '.repeat(100_000), '!['.repeat(200_000)]) expect(disarmMarkdown(text).length).toBeGreaterThan(400_000);
});

test('AP24 the file is named by the title in any script, without what file systems refuse', () => {
  expect(conversationFileName('周五: 发布/计划?')).toBe('周五 发布 计划.md');
  expect(conversationFileName('..')).toBe('conversation.md');
  expect(conversationFileName('Con')).toBe('_Con.md');
  expect(conversationFileName('nul.x')).toBe('_nul.x.md');
  expect(conversationFileName('console')).toBe('console.md');
  expect(conversationFileName(`${'x'.repeat(59)}😀`)).toBe(`${'x'.repeat(59)}.md`);
  expect(conversationFileName(`${'long '.repeat(40)}`).length).toBeLessThan(65);
});
