import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ArgumentCondition, PolicyRule } from '../../shared/rule.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { insertRule } from '../store/rules.ts';
import { conditionHolds } from './conditions.ts';
import { decide } from './decide.ts';
import type { PolicyQuestion } from './decide.ts';
import { newRule } from './new-rule.ts';
import { withinPath } from './path-scope.ts';
import { RuleBook } from './rule-book.ts';

const question = (over: Partial<PolicyQuestion> = {}): PolicyQuestion => ({
  principal: 'agent:default', capabilityId: 'mcp:fs:tool:write', serverId: 'fs', tier: 'high_write', reviewed: true, partlyChecked: false, definitionFingerprint: 'd1',
  input: { path: '/data/a.txt', n: 5 }, now: 1_000, ...over,
});
let n = 0;
const rule = (over: Partial<PolicyRule>): PolicyRule => ({
  id: `r${(n += 1)}`, builtIn: false, effect: 'allow', principal: null, capabilityId: null, serverId: null, tier: null, conditions: [], definitionFingerprint: null, note: '',
  createdAt: 0, createdBy: 'me', expiresAt: null, revokedAt: null, ...over,
});
const allow = (over: Partial<PolicyRule> = {}): PolicyRule => rule({ capabilityId: 'mcp:fs:tool:write', definitionFingerprint: 'd1', ...over });

test('PO01 deny wins over ask, ask over allow, in any order', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([rule({ effect: 'deny' }), rule({ effect: 'ask' }), allow(), allow()]), (rules) => {
      const expected = rules.some((r) => r.effect === 'deny') ? 'deny' : rules.some((r) => r.effect === 'ask') ? 'ask' : rules.length > 0 ? 'allow' : 'ask';
      expect(decide(rules, question()).effect).toBe(expected);
    }),
  );
});

test('PO02 reviewed read only runs, everything else asks; the server cannot lower its risk', () => {
  expect(decide([], question({ tier: 'read_only' }))).toMatchObject({ effect: 'allow', ruleId: 'builtin:read-only-allowed' });
  expect(decide([], question({ tier: 'read_only', reviewed: false }))).toMatchObject({ effect: 'ask' });
  for (const tier of ['low_write', 'high_write', 'unknown'] as const) expect(decide([], question({ tier })).effect).toBe('ask');
});

test('PO03 a partly checked schema asks, also against an allow rule', () => {
  expect(decide([allow()], question({ partlyChecked: true }))).toMatchObject({ effect: 'ask', ruleId: 'builtin:partly-checked-asks' });
  expect(decide([], question({ tier: 'read_only', partlyChecked: true })).effect).toBe('ask');
});

test('PO04 what cannot be judged fails an allow rule and matches a deny rule', () => {
  const condition: ArgumentCondition = { pointer: '/path', op: 'within_path', value: '/data' };
  const odd = question({ input: { path: ['/data/a'] } });
  expect(decide([allow({ conditions: [condition] })], odd).effect).toBe('ask');
  expect(decide([rule({ effect: 'deny', conditions: [condition] })], odd).effect).toBe('deny');
  expect(decide([allow({ conditions: [{ pointer: '/mode', op: 'not_equals', value: 'force' }] })], question()).effect).toBe('ask');
});

test('PO05 key order does not matter to a rule over arguments; a changed value asks again', () => {
  const rules = [allow({ conditions: [{ pointer: '/n', op: 'equals', value: 5 }, { pointer: '/path', op: 'equals', value: '/data/a.txt' }] })];
  expect(decide(rules, question({ input: { n: 5.0, path: '/data/a.txt' } })).effect).toBe('allow');
  expect(decide(rules, question({ input: { path: '/data/a.txt', n: 6 } })).effect).toBe('ask');
  expect(decide(rules, question({ input: { path: '/data/a.txt', n: '5' } })).effect).toBe('ask');
});

test('PO06 an allow rule with effects names a capability, or does not apply', () => {
  expect(decide([rule({ serverId: 'fs' })], question()).effect).toBe('ask');
  const context = { now: 0, by: 'me', definitionOf: () => ({ ok: true as const, value: 'd1' }) };
  const input = { effect: 'allow' as const, principal: null, capabilityId: null, serverId: 'fs', tier: null, conditions: [], note: '', expiresAt: null };
  expect(newRule(input, context)).toMatchObject({ ok: false, error: { code: 'invalid_request', field: 'capabilityId' } });
  expect(newRule({ ...input, capabilityId: 'mcp:fs:tool:write' }, context)).toMatchObject({ ok: true, value: { definitionFingerprint: 'd1' } });
});

test('A16 an allow rule is pinned to capability, definition, principal, conditions and time', () => {
  const rules = [allow({ principal: 'agent:default', expiresAt: 2_000 })];
  expect(decide(rules, question()).effect).toBe('allow');
  expect(decide(rules, question({ definitionFingerprint: 'd2' })).effect).toBe('ask');
  expect(decide(rules, question({ capabilityId: 'mcp:fs:tool:other' })).effect).toBe('ask');
  expect(decide(rules, question({ principal: 'agent:other' })).effect).toBe('ask');
  expect(decide(rules, question({ now: 2_000 })).effect).toBe('ask');
  expect(decide([{ ...rules[0]!, revokedAt: 1 }], question()).effect).toBe('ask');
});

test.each([
  ['/data', '/data', 'yes'], ['/data/a', '/data', 'yes'], ['/data/', '/data', 'yes'], ['/data/./x/../y', '/data/', 'yes'],
  ['/database', '/data', 'no'], ['/data/../etc/passwd', '/data', 'no'], ['/data/a/../../etc', '/data', 'no'], ['/', '/data', 'no'], ['//data/x', '/data', 'unknown'],
  ['/data/%2e%2e/etc', '/data', 'unknown'], ['/data/..%2fetc', '/data', 'unknown'], ['%2fdata', '/data', 'unknown'],
  ['~/x', '/data', 'unknown'], ['~root/x', '/data', 'unknown'], ['$HOME/x', '/data', 'unknown'], ['/data/${X}', '/data', 'unknown'], ['data/x', '/data', 'unknown'], ['', '/data', 'unknown'],
  ['file:///data/x', '/data', 'unknown'], ['/data\\..\\etc', '/data', 'unknown'], ['/data/x\u0000', '/data', 'unknown'], ['/data/\n', '/data', 'unknown'],
  ['/DATA/x', '/data', 'unknown'], ['/caf\u00e9/x', '/cafe\u0301', 'unknown'],
  ['C:\\data\\x', 'C:\\data', 'yes'], ['c:/DATA/x', 'C:\\data', 'yes'], ['C:\\data\\..\\Windows', 'C:\\data', 'no'], ['D:\\data\\x', 'C:\\data', 'no'],
  ['C:data\\x', 'C:\\data', 'unknown'], ['C:\\data.\\x', 'C:\\data', 'unknown'], ['C:\\data\\PROGRA~1', 'C:\\data', 'unknown'], ['C:\\data\\a.txt::$DATA', 'C:\\data', 'unknown'],
  ['\\\\localhost\\C$\\data', 'C:\\data', 'unknown'], ['\\\\?\\C:\\data\\x', 'C:\\data', 'unknown'], ['\\\\.\\C:\\data', 'C:\\data', 'unknown'],
  ['\\\\srv\\share\\data\\x', '\\\\srv\\share\\data', 'yes'], ['\\\\other\\share\\data', '\\\\srv\\share\\data', 'unknown'], ['/data/x', 'C:\\data', 'unknown'],
  [5, '/data', 'unknown'], [null, '/data', 'unknown'],
  ['/data/{a,../../etc/passwd}', '/data', 'unknown'], ['/data/`id`', '/data', 'unknown'], ['/et?/passwd', '/etc', 'unknown'], ['/e*/passwd', '/etc', 'unknown'], ['/[e]tc/passwd', '/etc', 'unknown'],
  ['/proc/self/root/etc/passwd', '/etc', 'unknown'], ['/dev/fd/3', '/etc/x/y/z', 'unknown'], ['/processes/x', '/etc', 'no'],
])('A12 within_path of %j in %j is %s', (path, base, expected) => {
  expect(withinPath(path, base)).toBe(expected);
});

test('A12 a path that leaves its folder is never within it, whatever is put between', () => {
  const step = fc.constantFrom('a', 'b', '.', '', '..', 'c d', '...');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const stack: string[] = [];
      for (const s of ['data', ...steps]) {
        if (s === '..') stack.pop();
        else if (s !== '.' && s !== '') stack.push(s);
      }
      expect(withinPath(`/data/${steps.join('/')}`, '/data')).toBe(stack[0] === 'data' ? 'yes' : 'no');
    }),
  );
});

test('PO04 pointers reach own members only', () => {
  expect(conditionHolds({ pointer: '/__proto__', op: 'present' }, {})).toBe('no');
  expect(conditionHolds({ pointer: '/constructor/name', op: 'present' }, {})).toBe('no');
  expect(conditionHolds({ pointer: '/a~1b/0', op: 'equals', value: 1 }, { 'a/b': [1] })).toBe('yes');
  expect(conditionHolds({ pointer: '/a/length', op: 'present' }, { a: [1] })).toBe('no');
});

test('A11 a rule that cannot be read denies until revoked, is shown with its cause, and a good set keeps its meaning', () => {
  const store = openTestStore();
  const good = allow();
  store.write((db) => insertRule(db, good));
  const book = new RuleBook(store);
  expect(book.decide(question()).effect).toBe('allow');
  store.connection.prepare("UPDATE rules SET rule_json = '{broken'").run();
  book.reload();
  expect(book.decide(question()).effect).toBe('allow');
  expect(book.problem).toContain(good.id);

  const restarted = new RuleBook(store);
  expect(restarted.decide(question({ tier: 'read_only' }))).toMatchObject({ effect: 'deny', ruleId: good.id });
  expect(restarted.list()[0]).toMatchObject({ id: good.id, effect: 'deny' });
  store.connection.prepare('UPDATE rules SET revoked_at = 5').run();
  restarted.reload();
  expect(restarted.decide(question({ tier: 'read_only' })).effect).toBe('allow');
});

test('A11 a policy that throws denies with its cause', () => {
  const hostile = question({ input: { get path(): never { throw new Error('boom'); } } });
  const store = openTestStore();
  store.write((db) => insertRule(db, allow({ conditions: [{ pointer: '/path', op: 'equals', value: 'x' }] })));
  expect(new RuleBook(store).decide(hostile)).toMatchObject({ effect: 'deny', ruleId: 'builtin:policy-failed', reason: 'Policy failed: boom' });
  store.connection.exec('DROP TABLE rules');
  expect(new RuleBook(store).decide(question())).toMatchObject({ effect: 'deny', ruleId: 'builtin:policy-failed' });
});

test('A04 the policy version moves with every rule and with expiry, and not otherwise', () => {
  const store = openTestStore();
  const book = new RuleBook(store);
  const first = book.version(0);
  expect(book.version(10)).toBe(first);
  store.write((db) => insertRule(db, allow({ expiresAt: 100 })));
  book.reload();
  const second = book.version(50);
  expect(second).not.toBe(first);
  expect(book.version(99)).toBe(second);
  expect(book.version(100)).toBe(first);
});

test('A11 a rule with an unpaired surrogate is refused; one that stands denies with its cause and its version does not throw', () => {
  const condition: ArgumentCondition = { pointer: '/path', op: 'equals', value: '\ud800' };
  const input = { effect: 'ask' as const, principal: null, capabilityId: null, serverId: 'fs', tier: null, conditions: [condition], note: '', expiresAt: null };
  const context = { now: 0, by: 'me', definitionOf: () => ({ ok: true as const, value: 'd1' }) };
  expect(newRule(input, context)).toMatchObject({ ok: false, error: { code: 'invalid_request', field: 'conditions.0.value' } });
  expect(newRule({ ...input, conditions: [], note: '\udc00' }, context)).toMatchObject({ ok: false, error: { code: 'invalid_request', field: 'note' } });
  const store = openTestStore();
  store.write((db) => insertRule(db, rule({ effect: 'ask', conditions: [condition] })));
  const book = new RuleBook(store);
  expect(book.version(0)).toMatch(/^[0-9a-f]{64}$/);
  expect(book.decide(question())).toMatchObject({ effect: 'deny', ruleId: 'builtin:policy-failed' });
});

test('PO04 an absent argument matches a deny rule and fails an allow rule', () => {
  const conditions: ArgumentCondition[] = [{ pointer: '/path', op: 'within_path', value: '/etc' }];
  expect(decide([allow(), rule({ effect: 'deny', conditions })], question({ input: {} })).effect).toBe('deny');
  expect(decide([allow(), rule({ effect: 'deny', conditions })], question()).effect).toBe('allow');
  expect(decide([allow({ conditions })], question({ input: {} })).effect).toBe('ask');
});
