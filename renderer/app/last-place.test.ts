import { expect, test } from 'vitest';
import { href } from '../routes.ts';
import { keptPlace } from './last-place.ts';

test('U93 a page is kept for the next start without its filters; no text from outside, nothing begun, no approval', () => {
  expect([keptPlace(href.market('q=a')), keptPlace(href.server('files')), keptPlace(href.call('r', 'i')), keptPlace(href.settings('rules')), keptPlace(href.approvals()), keptPlace(href.questions())]).toEqual(['#/market', '#/servers/files', '#/runs/r/i', '#/settings/rules', '#/approvals', '#/questions']);
  for (const place of ['', href.approval('a'), href.question('q'), href.link('gantry://x'), href.importText('{}'), href.import(), href.add('npm'), href.addFromMarket('x'), '#/nowhere', href.run('x'.repeat(5_000))]) expect(keptPlace(place)).toBeNull();
});
