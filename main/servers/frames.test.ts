import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FrameReader } from './frame-reader.ts';
import { readFrame } from './incoming-frame.ts';
import { isDeeperThan } from './json-depth.ts';
import { LineSplitter } from './line-splitter.ts';
import { LogRing } from './log-ring.ts';
import { createStreamPace } from './stream-pace.ts';
import { CrashBudget } from './crash-budget.ts';
import { RefreshPace } from './refresh-pace.ts';
import { moved, StateCell } from './connection-state.ts';
import { pathBetweenMarks, SearchedPath } from './login-path.ts';
import { LoginShell } from './login-shell.ts';

const read = (chunks: readonly Buffer[], capBytes?: number): { lines: string[]; tooLarge: number[]; held: number } => {
  const lines: string[] = [];
  const tooLarge: number[] = [];
  const reader = new FrameReader({ ...(capBytes === undefined ? {} : { capBytes }), onFrame: (b) => lines.push(b.toString('utf8')), onTooLarge: (n) => tooLarge.push(n) });
  chunks.forEach((chunk) => reader.push(chunk));
  return { lines, tooLarge, held: reader.end() };
};

test('S14 lines come out whole however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }).map((s) => s.replace(/[\r\n\ufeff]/g, '')).filter((s) => s.isWellFormed() && s !== '')), fc.infiniteStream(fc.integer({ min: 1, max: 7 })), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((l) => `${l}\n`).join(''));
      const chunks: Buffer[] = [];
      for (let at = 0; at < bytes.length; ) {
        const size = cuts.next().value as number;
        chunks.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(read(chunks).lines).toEqual(lines);
    }),
  );
});

test('F04 CRLF, a leading BOM and empty lines are taken off, NUL stays', () => {
  expect(read([Buffer.from('\ufeff{"a":1}\r\n\r\n\n{"b":"\u0000"}\n')]).lines).toEqual(['{"a":1}', '{"b":"\u0000"}']);
});

test('F05 F06 the cap counts one frame, many legal frames in one chunk are all accepted, nothing is read after a refusal', () => {
  const near = Buffer.from(`${'x'.repeat(99)}\n`.repeat(50));
  expect(read([near], 100).lines).toHaveLength(50);
  const over = read([Buffer.alloc(60, 0x61), Buffer.alloc(60, 0x61), Buffer.from('\nok\n')], 100);
  expect(over).toEqual({ lines: [], tooLarge: [120], held: 0 });
});

test('F13 depth is counted on bytes outside strings', () => {
  const nested = (n: number): Buffer => Buffer.from('['.repeat(n) + ']'.repeat(n));
  expect(isDeeperThan(nested(512), 512)).toBe(false);
  expect(isDeeperThan(nested(513), 512)).toBe(true);
  expect(isDeeperThan(Buffer.from(`"${'[\\"'.repeat(1000)}"`), 512)).toBe(false);
  expect(isDeeperThan(Buffer.from(`[${'[],'.repeat(5000)}1]`), 512)).toBe(false);
});

test('F02 what is no JSON-RPC is junk; arbitrary bytes never throw', () => {
  for (const line of ['banner', '{"jsonrpc":"1.0","id":1}', '{"a":1}', '[]', '[1]', '{', 'null', '"x"']) expect(readFrame(Buffer.from(line)).map((f) => f.kind)).toEqual(['junk']);
  expect(readFrame(Buffer.from('[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":1,"result":{}}]')).map((f) => f.kind)).toEqual(['message', 'message']);
  fc.assert(fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), (bytes) => readFrame(Buffer.from(bytes)).length > 0));
});

test('F01 an answer behind text without a line break is read, a quoted request is not', () => {
  const answer = '{"jsonrpc":"2.0","id":7,"result":{"ok":true}}';
  for (const text of ['Loading... ', '{"level":"info"} ', '[1/3] {} ', '秋 ']) {
    expect(readFrame(Buffer.from(text + answer))).toEqual([{ kind: 'junk', text }, { kind: 'message', message: JSON.parse(answer), sizeBytes: answer.length }]);
  }
  for (const line of [`got {"jsonrpc":"2.0","id":1,"method":"tools/call"}`, `sent ${answer.slice(0, -1)}`, 'plain {"id"', `${'x'.repeat(9000)}${answer}`]) expect(readFrame(Buffer.from(line)).map((part) => part.kind)).toEqual(['junk']);
});

test('S15 the log is capped in lines and bytes, says what it dropped, keeps its order', () => {
  const ring = new LogRing({ linesCap: 10, bytesCap: 100, keptCap: 0 });
  for (let n = 1; n <= 1000; n++) ring.push(n, 'stderr', `line ${n}`);
  const { lines, droppedLines, nextSeq } = ring.after();
  expect(lines.map((l) => l.text).at(-1)).toBe('line 1000');
  expect(lines).toHaveLength(10);
  expect([droppedLines, nextSeq]).toEqual([990, 1001]);
  expect(ring.after(999).lines.map((l) => l.seq)).toEqual([1000]);
  ring.push(1, 'stderr', 'x'.repeat(500));
  expect(ring.heldBytes).toBeLessThanOrEqual(100);
  expect(ring.after().lines).toEqual([]);
});

test('S75 a flood pushes out neither the first lines of a start nor its first failures, and what stays is bounded', () => {
  const ring = new LogRing();
  const flood = (start: number): void => {
    ring.begin();
    ring.push(0, 'stderr', `start ${start} listening`);
    for (let n = 0; n < 20_000; n++) {
      ring.push(n, 'stderr', `INFO heartbeat ${n} ${'x'.repeat(80)}`);
      if (n === 5000) ring.push(n, 'stderr', `${start}: TypeError: the first failure`);
      if (n > 5000) ring.push(n, 'stderr', `Error: number ${n}`);
    }
  };
  flood(1);
  const first = ring.after();
  expect(first.lines[0]!.text).toBe('start 1 listening');
  expect(first.lines.map((line) => line.text)).toContain('1: TypeError: the first failure');
  expect(first.lines.map((line) => line.seq)).toEqual(first.lines.map((line) => line.seq).toSorted((a, b) => a - b));
  expect(first.lines.length + first.droppedLines).toBe(first.nextSeq - 1);
  for (let start = 2; start < 20; start++) flood(start);
  const { lines } = ring.after();
  for (const text of ['start 19 listening', '19: TypeError: the first failure']) expect(lines.map((line) => line.text)).toContain(text);
  expect(lines.length).toBeLessThanOrEqual(2200);
  expect(ring.heldBytes).toBeLessThanOrEqual(608 * 1024);
});

test('S76 equal lines in succession are one line with a count; others between them are not passed over', () => {
  const ring = new LogRing({ linesCap: 3 });
  for (let n = 1; n <= 1000; n++) ring.push(n, 'stderr', 'beat');
  ring.push(1001, 'stdout-junk', 'beat');
  ring.push(1002, 'stderr', 'other');
  ring.push(1003, 'stderr', 'beat');
  expect(ring.after().lines).toEqual([
    { seq: 1, at: 1, source: 'stderr', text: 'beat', count: 1000, lastAt: 1000 },
    { seq: 2, at: 1001, source: 'stdout-junk', text: 'beat' },
    { seq: 3, at: 1002, source: 'stderr', text: 'other' },
    { seq: 4, at: 1003, source: 'stderr', text: 'beat' },
  ]);
  const bare = new LogRing({ linesCap: 1, keptCap: 0 });
  for (const text of ['beat', 'beat', 'beat', 'next']) bare.push(1, 'stderr', text);
  expect(bare.after()).toMatchObject({ droppedLines: 3, lines: [{ text: 'next' }] });
});

test('S15 stderr is cut into lines: split UTF-8, progress lines that redraw themselves, a line without end', () => {
  const lines: string[] = [];
  const splitter = new LineSplitter((text) => lines.push(text), 10);
  const euro = Buffer.from('€\n');
  splitter.push(euro.subarray(0, 1));
  splitter.push(euro.subarray(1));
  splitter.push(Buffer.from('10%\r50%\r100%\r\n'));
  splitter.push(Buffer.from('0123456789ab'));
  splitter.push(Buffer.from('rest'));
  splitter.end();
  expect(lines).toEqual(['€', '100%', '0123456789ab', 'rest']);
});

test('F27 a stream is opened again no earlier than its server asks (retry), up to five minutes, which is told; breaks back off, and are bounded', () => {
  let now = 0;
  let jitter = 0.5;
  const told: number[][] = [];
  const pace = createStreamPace({ told: (...about) => told.push(about), random: () => jitter, now: () => now });
  const waits: number[] = [];
  const setTimeoutBefore = globalThis.setTimeout;
  globalThis.setTimeout = ((_fn: () => void, ms: number) => { waits.push(ms); return 0; }) as never;
  try {
    for (let n = 0; n < 30; n++) pace(() => {}, 0);
    expect(waits).toHaveLength(12);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(100);
    expect(waits.at(-1)).toBe(66_000);
    jitter = 0;
    for (const [asked, waited] of [[70_000, 70_000], [299_000, 299_000], [1e9, 300_000], [1e9, 300_000], [1e8, 300_000]] as const) {
      now += 11 * 60_000;
      pace(() => {}, asked);
      expect(waits.at(-1)).toBe(waited);
    }
    expect(told).toEqual([[1e9, 300_000], [1e8, 300_000]]);
  } finally {
    globalThis.setTimeout = setTimeoutBefore;
  }
});

test('P01 waits double with jitter, end after five tries, count anew after a stable run or a reset', () => {
  const budget = new CrashBudget({ random: () => 0.5 });
  expect([1, 2, 3, 4, 5].map(() => budget.ended(0, 0))).toEqual([1100, 2200, 4400, 8800, null]);
  expect(budget.ended(60_000, 0)).toBe(1100);
  budget.reset();
  expect(budget.tries).toBe(0);
});

test('C012 the gaps between starts grow also where one start took long', () => {
  const budget = new CrashBudget({ random: () => 0 });
  const starts: number[] = [];
  let now = 1000;
  for (const tookMs of [3000, 200, 200, 200]) {
    starts.push(now);
    budget.started(now);
    now += tookMs;
    now += budget.ended(0, now) ?? 0;
  }
  const gaps = starts.slice(1).map((at, i) => at - starts[i]!);
  expect(gaps).toEqual([4000, 4800, 5760]);
});

test('F21 one reading in flight and one after it; the last notice is never lost', async () => {
  let readings = 0;
  let finish: () => void = () => {};
  const pace = new RefreshPace(() => { readings++; return new Promise((done) => { finish = () => done({ ok: true }); }); });
  const first = pace.now();
  for (let n = 0; n < 1742; n++) pace.notice();
  finish();
  await first;
  await new Promise((done) => setTimeout(done, 1300));
  expect(readings).toBe(2);
  finish();
  pace.stop();
});

test('S16 a move outside the table is a bug', () => {
  const cell = new StateCell(() => {});
  expect(() => cell.to({ state: 'ready', since: 0 })).toThrow('installed to ready');
  cell.to({ state: 'connecting', since: 0 });
  expect(moved({ state: 'connecting', since: 0 }, { state: 'discovering', since: 1 }).state).toBe('discovering');
  // @ts-expect-error a server cannot be ready before it was discovered
  moved({ state: 'connecting', since: 0 }, { state: 'ready', since: 1 });
});

test('C007 progress that is drawn over without a line break has a state to show, and holds no memory', () => {
  const lines: string[] = [];
  const splitter = new LineSplitter((text) => lines.push(text), 100);
  for (let n = 0; n < 1000; n++) splitter.push(Buffer.from(`\rdownload ${n}/1000 ${'#'.repeat(40)}`));
  expect(splitter.unfinished).toBe(`download 999/1000 ${'#'.repeat(40)}`);
  expect(lines).toEqual([]);
  splitter.push(Buffer.from('\rdone\r\nnext'));
  expect(lines).toEqual(['done']);
  expect(splitter.unfinished).toBe('next');
});

test('C001 a look-up of the login shell that failed is made again later, not by everybody in turn', async () => {
  const answers = [null, '/verman/bin:/usr/bin'];
  let asked = 0;
  const path = new SearchedPath('/usr/bin', () => Promise.resolve(answers[asked++] ?? null), 200);
  let now = 1_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  expect(await Promise.all([path.withLoginShell(), path.withLoginShell()])).toEqual(['/usr/bin', '/usr/bin']);
  expect(await path.withLoginShell()).toBe('/usr/bin');
  expect(asked).toBe(1);
  now += 250;
  expect(await path.withLoginShell()).toBe('/verman/bin:/usr/bin');
  expect(await path.withLoginShell()).toBe('/verman/bin:/usr/bin');
  expect(asked).toBe(2);
});

test('C001 NW03 the login shell is started once for all that is wanted of it, and again only where it gave nothing', async () => {
  const answers = [null, new Map([['PATH', '/verman/bin'], ['HTTPS_PROXY', 'http://proxy.example:3128']])];
  const asked: (readonly string[])[] = [];
  const shell = new LoginShell(['HTTPS_PROXY'], (names) => Promise.resolve(answers[asked.push(names) - 1] ?? null));
  expect(await Promise.all([shell.path(), shell.variables()])).toEqual([null, null]);
  expect(asked).toEqual([['HTTPS_PROXY']]);
  expect(await Promise.all([shell.path(), shell.variables().then((found) => found?.get('HTTPS_PROXY')), shell.path()])).toEqual(['/verman/bin', 'http://proxy.example:3128', '/verman/bin']);
  expect(await shell.path()).toBe('/verman/bin');
  expect(asked).toHaveLength(2);
});

test('C001 PATH is what stands between the last pair of marks, or nothing', () => {
  expect(pathBetweenMarks('Welcome!\n<m>/a:/b</m>\nbye', 'm')).toBe('/a:/b');
  for (const broken of ['', '<m>', '</m><m>', '<m></m>', '<m>/a\n/b</m>']) expect(pathBetweenMarks(broken, 'm')).toBeNull();
});
