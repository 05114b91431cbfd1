import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Invocation } from '../../shared/call.ts';
import { fault } from '../../shared/fault.ts';
import { Bus } from '../bus.ts';
import type { SqliteStore } from '../store/database.ts';
import { insertCall, callValues } from '../store/invocations.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { LearnedChoices } from './learned-choices.ts';
import { amongNearEquals } from './selection/near-equals.ts';
import type { Ranked } from './selection/rank.ts';

const AGENT = 'agent:default';
const DAY = 86_400_000;
let store: SqliteStore;
let bus: Bus;
let now: number;
let choices: LearnedChoices;
let count: number;
beforeEach(() => {
  store = openTestStore();
  bus = new Bus();
  now = 1_000_000;
  count = 0;
  choices = new LearnedChoices({ store, bus, clock: { now: () => now } as never, log: { warn: (text: string) => { throw new Error(text); } } as never });
});
afterEach(() => {
  choices.close();
  store.close();
});

interface Ended {
  readonly request: string;
  readonly tool?: string;
  readonly principal?: string;
  readonly kind?: string;
  readonly end?: Partial<Pick<Invocation, 'class' | 'fault'>>;
}
/** A call of a run with these words has ended. */
const ended = ({ request, tool = 'second', principal = AGENT, kind = 'agent', end = { class: 'ok' } }: Ended): void => {
  count += 1;
  const [runId, id] = [`run-${count}`, `call-${count}`];
  const row = { id, runId, capabilityId: `mcp:srv:tool:${tool}`, principal, tier: 'read_only', state: 'completed', stage: 'evidence', code: null, class: null, fault: null, frozenInput: null, inputHash: null, approvalId: null, grounded: false, createdAt: now, startedAt: now, endedAt: now, waitedMs: 0, bindingFingerprint: null, definitionFingerprint: `of ${tool}`, ...end } as const;
  store.write((db) => {
    db.run("INSERT INTO runs (id, kind, title, principal, trace_id, state, code, started_at, ended_at, head_hash) VALUES (?, ?, ?, ?, 't', 'running', NULL, ?, NULL, '')", [runId, kind, request, principal, now]);
    insertCall(db, callValues(row as never));
  });
  bus.emit('invocation:changed', { invocation: { ...row, result: null } as never });
  bus.emit('invocation:changed', { invocation: { ...row, result: null } as never });
  // calls are looked at together; asking catches up
  choices.counts();
};
const ranked = (scores: Readonly<Record<string, number>>): Ranked[] => Object.entries(scores).map(([id, score]) => ({ id, score, coverage: 1, reasons: {}, gives: {} }) as unknown as Ranked);
const order = (request: string, scores: Readonly<Record<string, number>>, principal = AGENT): string[] => {
  const opinion = choices.opinion(request, principal);
  return amongNearEquals(ranked(scores), (id) => opinion(`of ${id}`)).map(({ id }) => id);
};
const CLOSE = { first: 0.5, second: 0.49, third: 0.2 };
const DENIED = { class: 'not_sent' as const, fault: fault('denied', 'A person denied this call.', { details: { by: 'window' } }) };

test('SE22 what was chosen comes first among near equals for a like request, what was denied falls, and clearing undoes both', () => {
  expect(order('send the weekly report to Anna', CLOSE)).toEqual(['first', 'second', 'third']);
  for (let n = 0; n < 3; n += 1) ended({ request: 'Send the monthly report to Ben' });
  expect(choices.counts()).toEqual({ accepted: 3, refused: 0 });
  expect(order('send the weekly report to Anna', CLOSE)).toEqual(['second', 'first', 'third']);
  expect(order('what is the weather like', CLOSE)).toEqual(['first', 'second', 'third']);
  choices.clear();
  expect(choices.counts()).toEqual({ accepted: 0, refused: 0 });
  expect(order('send the weekly report to Anna', CLOSE)).toEqual(['first', 'second', 'third']);
  for (let n = 0; n < 3; n += 1) ended({ request: 'Send the monthly report to Ben', tool: 'first', end: DENIED });
  expect(choices.counts()).toEqual({ accepted: 0, refused: 3 });
  expect(order('send the weekly report to Anna', CLOSE)).toEqual(['second', 'first', 'third']);
});

test('SE22 Chinese requests are learned from as well', () => {
  for (let n = 0; n < 3; n += 1) ended({ request: '给安娜发送周报' });
  expect(order('给老王发送周报', CLOSE)).toEqual(['second', 'first', 'third']);
});

test('SE22 only what a person wanted or denied counts: no try-outs, no rules, no failures, none of the host’s tools, none twice', () => {
  ended({ request: 'send report', kind: 'try' });
  ended({ request: 'send report', kind: 'gateway' });
  ended({ request: 'send report', end: { class: 'unavailable' } });
  ended({ request: 'send report', end: { class: 'not_sent', fault: fault('denied', 'A rule denies this call.', { details: { by: 'rule' } }) } });
  ended({ request: 'to the of' });
  expect(store.read((db) => db.all('SELECT * FROM tool_choices'))).toEqual([]);
  ended({ request: 'send report' });
  expect(store.read((db) => db.all('SELECT accepted, refused FROM tool_choices'))).toEqual([{ accepted: 1, refused: 0 }, { accepted: 1, refused: 0 }]);
});

test('SE22 the words of a request are nowhere in what is kept but as hashes of a key that clearing takes away, and they fade', () => {
  ended({ request: 'tell zebrafish about quagmires' });
  const rows = store.read((db) => db.all('SELECT principal, definition_fingerprint, hex(word) AS word FROM tool_choices'));
  expect(rows).toHaveLength(3);
  expect(JSON.stringify(rows)).not.toMatch(/zebra|quag/i);
  const words = (): unknown => store.read((db) => db.all('SELECT hex(word) AS word FROM tool_choices ORDER BY word'));
  const before = words();
  const fresh = choices.opinion('zebrafish quagmires', AGENT)('of second');
  now += 60 * DAY;
  const later = choices.opinion('zebrafish quagmires', AGENT)('of second');
  expect(fresh).toBeCloseTo(1 / 3);
  expect(later).toBeCloseTo(0.5 / 2.5);
  choices.clear();
  ended({ request: 'tell zebrafish about quagmires' });
  expect(words()).not.toEqual(before);
});

test('SE23 however often it was chosen, a tool that says less does not pass one that says more, and nothing comes in', () => {
  for (let n = 0; n < 60; n += 1) {
    ended({ request: 'send report' });
    ended({ request: 'send report', tool: 'third' });
    ended({ request: 'send report', tool: 'absent' });
  }
  expect(order('send report', { first: 0.5, second: 0.45, third: 0.2 })).toEqual(['first', 'second', 'third']);
  expect(order('send report', { first: 0.5, other: 0.21, third: 0.2 })).toEqual(['first', 'other', 'third']);
  expect(order('send report', CLOSE)).not.toContain('absent');
});

test('SE23 an agent learns from its own calls and from the person’s, not from another agent’s', () => {
  for (let n = 0; n < 4; n += 1) ended({ request: 'send report', principal: 'agent:other' });
  expect(order('send report', CLOSE)).toEqual(['first', 'second', 'third']);
  expect(order('send report', CLOSE, 'agent:other')).toEqual(['second', 'first', 'third']);
  for (let n = 0; n < 4; n += 1) ended({ request: 'send report', principal: 'user', kind: 'guided' });
  expect(order('send report', CLOSE)).toEqual(['second', 'first', 'third']);
});
