import { expect, it } from 'vitest';
import { ok } from '../../shared/result.ts';
import { windowRequests } from './window-requests.ts';

it('I46: what changes while the market is read is in the first answer, for the window is told of it before', async () => {
  let language = 'en';
  let servers: string[] = [];
  let browsed = (): void => {};
  const read = {
    'settings:get': () => ok({ settings: { onboardingDone: true, marketFilters: '', language } }),
    'health:status': () => ok({ ready: true }),
    'servers:list': () => ok({ servers }),
    'approvals:page': () => ok({ rows: [], total: 0 }),
    'questions:list': () => ok({ questions: [] }),
    'runs:list': async () => ok({ runs: [] }),
    'shell:get': () => ok({ shell: { kind: 'loopback' } }),
    'market:browse': () => new Promise((resolve) => {
      browsed = () => resolve(ok({ cards: [], total: 0 }));
    }),
  } as unknown as Parameters<typeof windowRequests>[0];
  const first = windowRequests(read)['window:first']({ market: true }, { kind: 'window', canDecide: true });
  await new Promise((resolve) => setTimeout(resolve, 5));
  language = 'zh';
  servers = ['environment'];
  browsed();
  expect(await first).toMatchObject({ ok: true, value: { settings: { language: 'zh' }, servers: ['environment'], market: { total: 0 } } });
});
