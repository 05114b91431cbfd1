import type { LanguageModelV3Message } from '@ai-sdk/provider';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EvidenceEvent } from '../../shared/run.ts';
import { fitHistory, leftOutText } from './conversation-history.ts';
import { earlierRun } from './earlier-runs.ts';

const event = (type: string, data: Record<string, unknown>, invocationId: string | null = null): EvidenceEvent => ({ runId: 'run', seq: 1, prevHash: '', hash: '', at: 1, type, invocationId, data });
const found = (invocationId: string | null) => ({ text: `found ${String(invocationId)}`, isError: true, isShortened: false });

/** Every call has exactly one result, in the message after it, and no result stands alone. */
const isLegal = (messages: readonly LanguageModelV3Message[]): boolean =>
  messages.every((message, i) => {
    const ids = (role: string, at: number, type: string): string[] => (messages[at]?.role === role ? (messages[at].content as unknown as { type: string; toolCallId: string }[]).filter((part) => part.type === type).map((part) => part.toolCallId) : []);
    if (message.role === 'assistant') return JSON.stringify(ids('assistant', i, 'tool-call')) === JSON.stringify(ids('tool', i + 1, 'tool-result'));
    return message.role !== 'tool' || messages[i - 1]?.role === 'assistant';
  });
const idsOf = (messages: readonly LanguageModelV3Message[]): string[] => messages.flatMap((message) => (message.role === 'assistant' ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : [])) : []));

test('AC04 C090 wherever a run ended, its history is legal: each call has one result, of those that came the real one', () => {
  const turn = fc.record({ text: fc.string({ maxLength: 20 }), calls: fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'a1', ''), told: fc.boolean(), planned: fc.boolean() }), { maxLength: 4 }) });
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 5 }), fc.nat(40), fc.boolean(), (turns, upTo, strays) => {
      const all: EvidenceEvent[] = [event('run.prompt', { prompt: 'q' })];
      turns.forEach(({ text, calls }, t) => {
        const own = calls.map((call, i) => ({ ...call, id: `${call.id}${i}` }));
        all.push(event('turn.reply', { turn: t + 1, text, calls: own.map(({ id }) => ({ id, name: '获取 天气', argumentsText: '{' })) }));
        own.forEach(({ id, told, planned }) => {
          if (planned || told) all.push(event('call.planned', { shown: { turn: t + 1, callId: id } }, `inv-${t}-${id}`));
          if (told) all.push(event('call.told', { turn: t + 1, callId: id, text: `real ${t} ${id}`, isError: false, label: 'r1', grounded: true }, `inv-${t}-${id}`));
        });
        if (strays) all.push(event('call.told', { turn: t + 50, callId: 'stray', text: 'no call has it', isError: false }, 'inv-stray'));
      });
      const kept = all.slice(0, Math.max(1, upTo));
      const run = earlierRun(3, 'run', kept, found);
      expect(isLegal(run.messages)).toBe(true);
      expect(isLegal(run.brief)).toBe(true);
      expect(run.messages[0]!.role).toBe('user');
      expect(run.messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ type: 'text', text: expect.stringMatching(/\S/) }] });
      const text = JSON.stringify(run.messages);
      // of a call that a reply holds, the real result is there
      for (const told of kept.filter((one) => one.type === 'call.told' && one.data['callId'] !== 'stray')) expect(text).toContain(JSON.stringify(told.data['text']));
      expect(text).not.toContain('no call has it');
    }),
    { numRuns: 200 },
  );
});

test('AC05 whatever a request may hold, what is left is legal, within it, and what is gone is counted', () => {
  const run = (n: number, size: number) => earlierRun(n, `run${n}`, [
    event('run.prompt', { prompt: `question ${n}` }), event('turn.reply', { turn: 1, text: '', calls: [{ id: 'a', name: 't', argumentsText: '{}' }] }),
    event('call.told', { turn: 1, callId: 'a', text: 'w'.repeat(size), isError: false }, 'inv'), event('turn.reply', { turn: 2, text: `answer ${n}`, calls: [] }), event('run.ended', { code: null }),
  ], found);
  fc.assert(
    fc.property(fc.array(fc.nat(3_000), { maxLength: 8 }), fc.nat(30_000), (sizes, maxBytes) => {
      const earlier = sizes.map((size, i) => run(i + 1, size));
      const current: LanguageModelV3Message[] = [{ role: 'user', content: [{ type: 'text', text: 'now' }] }];
      const fitted = fitHistory(earlier, current, maxBytes);
      if (fitted === null) return;
      expect(isLegal(fitted.messages)).toBe(true);
      expect(new Set(idsOf(fitted.messages)).size).toBe(idsOf(fitted.messages).length);
      expect(Buffer.byteLength(JSON.stringify(fitted.messages))).toBeLessThanOrEqual(maxBytes + 50);
      const text = JSON.stringify(fitted.messages);
      expect(sizes.filter((_, i) => !text.includes(`"question ${i + 1}"`))).toHaveLength(fitted.leftOut.questions);
      expect(leftOutText(fitted.leftOut) === null).toBe(fitted.messages.length === current.length + earlier.flatMap(({ messages }) => messages).length);
    }),
    { numRuns: 200 },
  );
});
