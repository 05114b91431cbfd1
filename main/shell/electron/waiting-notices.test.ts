import { expect, test } from 'vitest';
import type { Approval } from '../../../shared/approval.ts';
import type { Question } from '../../../shared/question.ts';
import { WaitingNotices, noticeOf, plainName, type NoticeContent } from './waiting-notices.ts';
import { desktopWords } from './desktop-words.ts';

const approval = (id: string, state: Approval['state'] = 'pending', more: Partial<Approval> = {}): Approval =>
  ({ id, state, principal: 'agent:default', capabilityId: 'mcp:files:tool:write_file', frozenInput: '{"secret":"SECRET-INPUT"}', serverSays: 'SERVER-WORDS', capabilityTitle: 'TITLE', ...more }) as Approval;

const open = (facts: { seen?: boolean; wanted?: boolean } = {}) => {
  const on = { seen: false, wanted: true, ...facts };
  const screen: { content: NoticeContent; closed: boolean }[] = [];
  const notices = new WaitingNotices({
    words: () => desktopWords.en,
    wanted: () => on.wanted,
    windowSeen: () => on.seen,
    show: (content) => {
      const shown = { content, closed: false };
      screen.push(shown);
      return { close: () => (shown.closed = true) };
    },
  });
  return { notices, on, screen, there: () => screen.filter((one) => !one.closed).map((one) => one.content.title) };
};

test('W04 an approval is told once, while nobody looks, and taken back when it is decided', () => {
  const { notices, screen, there } = open();
  notices.changed(approval('a'));
  notices.changed(approval('a'));
  expect(screen).toHaveLength(1);
  expect(screen[0]?.content).toEqual({ title: 'An approval awaits you', body: 'The agent wants to use write_file. Nothing is sent before you decide in Gantry.', place: { kind: 'approval', approvalId: 'a' } });
  notices.changed(approval('a', 'denied'));
  expect(there()).toEqual([]);
});

test('W04 nothing is told to somebody who looks at the window, nor where it is not wanted', () => {
  const seen = open({ seen: true });
  seen.notices.changed(approval('a'));
  seen.on.seen = false;
  seen.notices.changed(approval('a'));
  expect(seen.screen).toEqual([]);
  const unwanted = open({ wanted: false });
  unwanted.notices.changed(approval('a'));
  expect(unwanted.screen).toEqual([]);
});

test('W04 many are told together, and looking at the window takes all back', () => {
  const { notices, there, screen } = open();
  for (const id of ['a', 'b', 'c']) notices.changed(approval(id));
  expect(there()).toHaveLength(3);
  notices.changed(approval('d'));
  expect(there()).toEqual(['4 approvals await you']);
  expect(screen.at(-1)?.content.place).toEqual({ kind: 'approvals' });
  for (let more = 0; more < 50; more += 1) notices.changed(approval(`e${more}`));
  expect(there()).toEqual(['54 approvals await you']);
  notices.seen();
  expect(there()).toEqual([]);
});

test('W04 a notification holds no input and no words of a server; a name cannot be markup, hide text or go on for ever', () => {
  const text = JSON.stringify(noticeOf(approval('a'), desktopWords.en));
  expect(text).not.toMatch(/SECRET-INPUT|SERVER-WORDS|TITLE/);
  const evil = noticeOf(approval('a', 'pending', { principal: 'outside:x', capabilityId: `mcp:x:tool:<a href="https://evil.example">\u202eevil\u0000\n&amp;${'n'.repeat(500)} $& {who}` }), desktopWords.en);
  expect(evil.body).toMatch(/^Another program wants to use /);
  expect(evil.body).not.toMatch(/[<>&\p{C}]/u);
  expect(evil.body.length).toBeLessThan(200);
  expect([...plainName('工具'.repeat(100))].length).toBeLessThanOrEqual(60);
  expect(plainName('\ud800')).toBe('');
  expect(plainName(`${'a'.repeat(58)}\u{1f3d7}\u{1f3d7}`).isWellFormed()).toBe(true);
});

const question = (id: string, state: Question['state'] = 'waiting', asked: object | null = null): Question =>
  ({ id, state, kind: 'sampling', serverId: 's', serverName: 'Notes <b>\u202e', message: 'SERVER-WORDS', sampling: { messages: [{ role: 'user', content: [{ type: 'text', text: 'SERVER-WORDS' }] }], maxTokens: 1, asked } }) as unknown as Question;

test('QU15 a question of a server is told while nobody looks, by the person’s own name of the server and no word of its own, and taken back when it is answered', () => {
  const { notices, screen, there } = open();
  notices.asked(question('a'));
  notices.asked(question('a'));
  expect(screen).toHaveLength(1);
  expect(screen[0]!.content).toEqual({ title: 'A server asks you something', body: 'Notes b asks for an answer of your model. Its call waits until you decide in Gantry.', place: { kind: 'question', questionId: 'a' } });
  notices.asked(question('a', 'waiting', { modelId: 'm', at: 1 }));
  expect(there()).toEqual([]);
  notices.asked(question('a', 'review', { modelId: 'm', at: 1 }));
  expect(there()).toHaveLength(1);
  notices.asked(question('a', 'answered'));
  expect(there()).toEqual([]);
  expect(JSON.stringify(screen)).not.toContain('SERVER-WORDS');
});

test('QU15 many questions are told together, and with approvals as what they are together', () => {
  const { notices, there, screen } = open();
  for (const id of ['a', 'b', 'c', 'd']) notices.asked(question(id));
  expect(there()).toEqual(['4 questions of servers await you']);
  expect(screen.at(-1)!.content.place).toEqual({ kind: 'questions' });
  notices.changed(approval('e'));
  expect(there()).toEqual(['5 things await you']);
});
