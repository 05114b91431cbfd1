import { threadId } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { FrameLane } from '../servers/frame-lane.ts';
import { ENTRY_CAP_BYTES } from '../servers/large-entries.ts';
import { createHarness, REPO } from '../servers/pool-harness.fixture.ts';
import { closeTaskLines, endLater, openTaskLine } from './task-line.fixture.ts';

afterEach(closeTaskLines);

const openLane = (): FrameLane => {
  const lane = new FrameLane(new URL('frame-worker.ts', import.meta.url));
  endLater(() => lane.close());
  return lane;
};

test.each(['legacy', 'modern'] as const)('TK13 S72 the large result of a task of the %s era is parsed and judged off the host\'s thread, whichever answer brings it', async (era) => {
  const lane = openLane();
  const o = await openTaskLine(era, 'stdio', { frames: lane });
  const outcome = await o.call('large');
  expect(outcome).toMatchObject({ state: 'completed', class: 'stored' });
  expect(lane.readBy.length).toBeGreaterThan(0);
  expect(lane.readBy).not.toContain(threadId);
  expect([o.said('tools/call').length, o.said('tasks/result').length]).toEqual([1, era === 'legacy' ? 1 : 0]);
});

test.each(['stdio', 'json'] as const)('S80 an answer that no list, call or task brings is refused over the bounds of one definition (%s), and the connection stays', async (over) => {
  const h = createHarness({ open: { frames: openLane() } });
  endLater(h.close);
  const args = [`${REPO}/e2e/fixtures/huge-answers-server.mjs`, 'legacy', over, 'completion/complete', '100000'];
  if (over === 'stdio') h.add('srv', { kind: 'command', command: process.execPath, args });
  else h.add('srv', { kind: 'http', url: `${await h.serve(args)}/mcp` });
  await h.pool.connect('srv');
  const asked = { ref: { type: 'ref/prompt', name: 'ask' }, argument: { name: 'a', value: '' }, others: {} } as const;
  const answer = await h.pool.resources.complete('srv', asked, new AbortController().signal);
  expect(answer).toMatchObject({ ok: false, error: { code: 'too_large', details: { method: 'completion/complete', limitBytes: ENTRY_CAP_BYTES } } });
  expect(await h.call('srv', 'job', {})).toMatchObject({ kind: 'result' });
});
