import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallResult } from '../../shared/call.ts';
import { readPart } from '../evidence/read-part.ts';
import { fitResult } from './result-fit.ts';
import { withoutBase64Runs } from './result-media.ts';
import { pendingWork } from './result-pending.ts';
import type { Block } from './result-shape.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** base64 of bytes that look like any compressed data */
const binary = (bytes: number): string => Buffer.from(Array.from({ length: bytes }, (_, i) => (i * 7919 + ((i * i) >> 3)) & 0xff)).toString('base64');
const resultOf = (content: readonly Block[], structuredContent?: unknown, extra: Record<string, unknown> = {}): CallResult => ({
  content: content.map((block) => ({ ...block })), ...(structuredContent === undefined ? {} : { structuredContent }), isError: false, extra, sizeBytes: 0, masked: [], source: { serverId: 's', capabilityId: 'mcp:s:tool:t', serverName: 's', serverVersion: '1' },
});
const fitted = (content: readonly Block[], structured?: unknown, extra: Record<string, unknown> = {}, textBytes = 65_536) => fitResult(resultOf(content, structured, extra), { textBytes });
const bodyOf = (...of: Parameters<typeof fitted>): { content: unknown; structuredContent?: unknown; extra?: unknown } => JSON.parse(fitted(...of).body) as never;
const text = (words: string): Block => ({ type: 'text', text: words });

test.each<[string, readonly Block[], unknown, Record<string, unknown>, unknown]>([
  ['text and structured', [text('a')], { b: 1 }, {}, { content: ['a'], structuredContent: { b: 1 } }],
  ['unknown members of the result', [text('a')], undefined, { invoice: { no: 7 } }, { content: ['a'], extra: { invoice: { no: 7 } } }],
  ['a text of a resource', [{ type: 'resource', resource: { uri: 'file:///x', mimeType: 'text/plain', text: 'inside' } }], undefined, {}, { content: [{ type: 'resource', resource: { uri: 'file:///x', mimeType: 'text/plain', text: 'inside' } }] }],
  ['a link, which nobody follows', [{ type: 'resource_link', uri: 'https://e.example/a', name: 'a' }], undefined, {}, { content: [{ type: 'resource_link', uri: 'https://e.example/a', name: 'a' }] }],
  ['a block of a type that is not known', [{ type: 'hologram', beam: [1] }], undefined, {}, { content: [{ type: 'hologram', beam: [1] }] }],
  ['members that a text has beside it', [{ type: 'text', text: 'a', lang: 'de', annotations: { audience: ['user'] } }], undefined, {}, { content: [{ type: 'text', text: 'a', lang: 'de' }] }],
  ['nothing', [], undefined, {}, { content: '(empty result)' }],
  ['blank texts', [text(''), text('  ')], undefined, {}, { content: '(empty result)' }],
  ['a text null', [text('null')], undefined, {}, { content: ['null'] }],
  ['a list as the structured part', [], [1, 'b'], {}, { content: [], structuredContent: [1, 'b'] }],
  ['false as the structured part', [], false, {}, { content: [], structuredContent: false }],
  ['a text that repeats the structured part', [text('{"b": [1, 2], "a": 1}')], { a: 1, b: [1, 2] }, {}, { content: ['(the same as structuredContent)'], structuredContent: { a: 1, b: [1, 2] } }],
  ['a text that nearly does', [text('{"b":2}')], { b: 1 }, {}, { content: ['{"b":2}'], structuredContent: { b: 1 } }],
  ['a member named __proto__', [], JSON.parse('{"__proto__":{"x":1},"constructor":2}'), {}, { content: [], structuredContent: JSON.parse('{"__proto__":{"x":1},"constructor":2}') }],
])('RS40 %s is told', (_what, content, structured, extra, expected) => {
  expect(bodyOf(content, structured, extra)).toEqual(expected);
});

test('F12 runs of any length in a text are told, whatever their letters', () => {
  for (const letter of ['x', 'A', '7', '/', '中', ' ', '=']) {
    const text = letter.repeat(12_000_000);
    expect(withoutBase64Runs(text) === text).toBe(true);
  }
  const data = Buffer.from(Array.from({ length: 9_000_000 }, (_, i) => (i * 2_654_435_761) >>> 24)).toString('base64');
  const note = `[base64, 9000000 bytes, not shown]`;
  expect(withoutBase64Runs(data)).toBe(note);
  expect(withoutBase64Runs(`前 "${data}" data:image/png;base64,${data}, ${'word '.repeat(1000)}${data}`)).toBe(`前 "${note}" ${note}, ${'word '.repeat(1000)}${note}`);
  expect(withoutBase64Runs(`${'w'.repeat(5000)} ${data}`)).toBe(`${'w'.repeat(5000)} ${note}`);
  expect(withoutBase64Runs(data.slice(0, 4095))).toBe(data.slice(0, 4095));
});

test('F12 base64 is told by its size wherever it stands, and nothing else is taken for it', () => {
  const long = binary(30_000);
  for (const [content, structured] of [[[], { picture: long }], [[], { screenshot: { bytes: 'A'.repeat(50_000) } }], [[], { type: 'image', data: 'A'.repeat(50_000), mimeType: 'image/png' }], [[text(`![](data:image/png;base64,${long})`)], undefined], [[text(JSON.stringify({ data: long }))], undefined], [[{ type: 'odd', payload: long }], undefined]] as const) {
    const { body } = fitted(content, structured);
    expect(body).toMatch(/\[base64, \d+ bytes, not shown\]/);
    expect(body.length).toBeLessThan(500);
  }
  for (const words of ['ACGT'.repeat(5_000), 'word '.repeat(5_000), 'a1b2'.repeat(5_000), '你好'.repeat(5_000), 'x'.repeat(20_000)]) expect(bodyOf([text(words)], { words })).toEqual({ content: [words], structuredContent: { words } });
});

test('RS41 a picture is what its bytes say, not what the server says', () => {
  const media = (data: string, mimeType: string) => fitted([{ type: 'image', data, mimeType }]).media[0];
  expect(media(PNG, 'image/jpeg')).toMatchObject({ mediaType: 'image/png', declared: 'image/jpeg', pixels: 1, part: '/content/0' });
  expect(media(`data:image/png;base64,${PNG}`, 'image/png')).toMatchObject({ mediaType: 'image/png', data: PNG });
  expect(media(PNG.replaceAll('+', '-').replaceAll('/', '_'), 'image/png')).toMatchObject({ mediaType: 'image/png', data: PNG });
  expect(media(`${PNG.slice(0, 40)}\n${PNG.slice(40)}`, 'image/png')).toMatchObject({ mediaType: 'image/png', data: PNG });
  for (const wrong of ['', 'not base64 at all!', Buffer.from('<svg onload="x()"/>').toString('base64'), 'AAAA']) expect(media(wrong, 'image/png')).toMatchObject({ mediaType: null });
  for (const [head, type] of [['R0lGODlhAQABAAAAACw=', 'image/gif'], ['UklGRiQAAABXQVZFZm10IA==', 'audio/wav'], ['JVBERi0xLjc=', 'application/pdf'], ['SUQzBAAAAAAA', 'audio/mpeg'], ['T2dnUwAC', 'audio/ogg'], ['/9j/4AAQSkZJRg==', 'image/jpeg']] as const) expect(media(head, 'x/y')).toMatchObject({ mediaType: type });
  expect(fitted([{ type: 'resource', resource: { uri: 'a://b', mimeType: 'image/png', blob: PNG } }])).toMatchObject({ media: [{ mediaType: 'image/png' }], body: expect.stringContaining('"uri":"a://b"') });
});

const json = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, fc.string({ unit: 'binary', maxLength: 60 }), fc.integer(), fc.boolean(), fc.constant(null), fc.string({ minLength: 500, maxLength: 5_000 }), fc.array(tie('value'), { maxLength: 30 }), fc.dictionary(fc.string({ maxLength: 12 }), tie('value'), { maxKeys: 30, noNullPrototype: true })),
})).value;

test('RS42 whatever is larger than the budget is cut inside it, as legal JSON, and each cut is marked in place and listed with how much there is', () => {
  fc.assert(
    fc.property(json, fc.string({ unit: 'binary', maxLength: 20_000 }), fc.integer({ min: 1_000, max: 20_000 }), (structured, words, budget) => {
      const result = JSON.parse(JSON.stringify({ structured, words }).toWellFormed()) as { structured: unknown; words: string };
      const { body, bodyBytes, shortened, outline } = fitted([text(result.words)], result.structured, {}, budget);
      expect(bodyBytes).toBeLessThanOrEqual(budget + 600);
      const told = JSON.parse(body) as { content: unknown; structuredContent: unknown };
      const marks = body.match(/\[shortened, \d+ of \d+ (?:characters|items|members)\]/g) ?? [];
      expect(shortened.length).toBe(marks.length);
      expect(outline === null).toBe(shortened.length === 0);
      if (shortened.length === 0 && !/\p{C}|\p{M}|\p{Z}/u.test(JSON.stringify(result)) && result.words.trim() !== '') expect(told.structuredContent).toEqual(result.structured);
      for (const one of shortened) expect(one.of).toBeGreaterThan(one.shown);
    }),
    { numRuns: 150 },
  );
});

test('RS23 the parts of a result, read one after the other, are the result', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3_000 }), fc.array(fc.string({ maxLength: 200 }), { minLength: 1, maxLength: 60 })), fc.integer({ min: 300, max: 3_000 }), (value, budgetBytes) => {
      const whole = resultOf([], { value });
      const read: (string | unknown[])[] = [];
      for (let offset: number | null = 0; offset !== null; ) {
        const part = readPart(whole, { part: '/structuredContent/value', offset, limit: null, budgetBytes });
        if ('missing' in part) throw new Error('no part');
        expect(part.count).toBeGreaterThan(0);
        read.push(part.value as string);
        offset = part.next;
      }
      expect(typeof value === 'string' ? read.join('') : read.flat()).toEqual(value);
    }),
    { numRuns: 100 },
  );
});

test('RS23 a part keeps the digits of its numbers, and one item that is alone too large is shown shortened', () => {
  const whole: CallResult = { ...resultOf([], { rows: [{ id: 1 }, { id: 12345678901234567000 }], big: [{ deep: 'x'.repeat(5_000) }] }), exactNumbers: [{ place: '/structuredContent/rows/1/id', text: '12345678901234567890' }] };
  expect(readPart(whole, { part: '/structuredContent/rows', offset: 1, limit: null, budgetBytes: 1_000 })).toMatchObject({ exact: [{ place: '/0/id', text: '12345678901234567890' }] });
  expect(readPart(whole, { part: '/structuredContent/rows/1', offset: 0, limit: null, budgetBytes: 1_000 })).toMatchObject({ exact: [{ place: '/id', text: '12345678901234567890' }] });
  expect(JSON.stringify(readPart(whole, { part: '/structuredContent/big', offset: 0, limit: null, budgetBytes: 1_000 }))).toMatch(/shortened, \d+ of 5000 characters/);
  expect(readPart(whole, { part: '/structuredContent/none/x', offset: 0, limit: null, budgetBytes: 1_000 })).toEqual({ missing: 'none', names: ['rows', 'big'] });
});

test.each<[unknown, boolean]>([
  [{ status: 'queued', job_id: 'j' }, true], [{ status: 'In Progress', taskId: 't', progress: 3 }, true], [{ state: 'pending_approval', approval_id: 5 }, true], [{ task: { taskId: 't', status: 'working', ttl: 5 } }, true], [{ status: 'accepted', statusUrl: 'https://e.example/j' }, true],
  [{ status: 'pending', order_id: 5 }, false], [{ status: 'pending', items: [1], job_id: 'j' }, false], [{ status: 'done', job_id: 'j' }, false], [{ status: 'running', job_id: 'j', result: { a: 1 } }, false], [{ status: 'running' }, false], [{ job_id: 'j' }, false], [[{ status: 'queued', job_id: 'j' }], false], ['queued', false],
])('RS31 %j is pending: %s', (value, expected) => {
  expect(pendingWork([], { value }, {}) !== null).toBe(expected);
  expect(pendingWork([{ type: 'text', text: JSON.stringify(value) }], null, {}) !== null).toBe(expected);
});

test.each<[string, Record<string, unknown>, boolean]>([
  ['prose', { mimeType: 'text/markdown', data: 'Words, and more words. '.repeat(100) }, false],
  ['a page', { mimeType: 'text/html', blob: '<p>inside</p>'.repeat(100) }, false],
  ['base64', { mimeType: 'image/png', data: binary(2_000) }, true],
  ['base64 in lines', { mimeType: 'image/png', data: binary(2_000).replace(/.{76}/g, '$&\r\n') }, true],
  ['zeros', { type: 'image', data: 'A'.repeat(2_000) }, true],
])('F12 what stands as data beside a media type is told by its size only where it is base64: %s', (_what, member, isBase64) => {
  const { structuredContent } = bodyOf([], { member });
  if (isBase64) expect(JSON.stringify(structuredContent)).toContain('[base64, ');
  else expect(structuredContent).toEqual({ member });
});

test('RS08 the shape of a result is told in 4 KiB, however many and long its names are', () => {
  const wide = (depth: number): unknown => (depth === 0 ? 1 : Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`${i}${'n'.repeat(80)}`, wide(depth - 1)])));
  const { outline, shortened } = fitted([text('x'.repeat(5_000))], wide(4), {}, 1_000);
  expect(shortened.length).toBeGreaterThan(0);
  expect(Buffer.byteLength(JSON.stringify(outline))).toBeLessThanOrEqual(4_096);
  expect(outline).toMatchObject({ structuredContent: expect.anything() });
});

test('RS43 padding, letters in runs and copies of the structured part are told in linear time', () => {
  const padding = `${'='.repeat(500_000)}!`;
  expect(fitted([{ type: 'image', data: padding, mimeType: 'image/png' }]).media[0]).toMatchObject({ mediaType: null, data: null });
  const runs = `${'Aa1g'.repeat(1_000)} `.repeat(300);
  expect(fitted([text(runs)], undefined, {}, runs.length + 1_000).body).toContain(runs.slice(0, 100));
  const structured = { rows: Array.from({ length: 20_000 }, (_, i) => i) };
  const copies = Array.from({ length: 5_000 }, () => text('{}'));
  expect(fitted([...copies, text(JSON.stringify(structured))], structured, {}, 8_000_000).body).toContain('(the same as structuredContent)');
});
