import { BUILT_IN_AGENT } from '../shared/principal.ts';
import { axeComplaints } from './support/axe.ts';
import { shot } from './support/shots.ts';
import { expect, test } from './support/window.ts';

test('SE21 SE22 SE25 a person sets how many tools a request carries, marks one in the list and on its page, and forgets what was learned', async ({ gantry, open, page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open();
  await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  await gantry.ask('servers:connect', { serverId: 'environment' });
  await gantry.ask('access:set', { principal: BUILT_IN_AGENT, serverId: 'environment', allowed: true });
  const { runId } = await gantry.ask('planner:begin', { request: 'Which versions are installed?' });
  await gantry.ask('planner:call', { runId, capabilityId: 'mcp:environment:tool:get_versions', inputText: '{}' });

  await page.goto(new URL('#/capabilities', page.url()).href);
  const mark = page.getByRole('button', { name: 'Always show get_versions to the agent' });
  await mark.click();
  await expect(mark).toHaveAttribute('aria-pressed', 'true');
  await shot(page, 'pinned-list');
  expect(await axeComplaints(page)).toEqual([]);
  await page.goto(new URL(`#/capabilities/${encodeURIComponent('mcp:environment:tool:get_environment_fact')}`, page.url()).href);
  const box = page.getByRole('checkbox', { name: 'Always show to the agent' });
  await expect(box).not.toBeChecked();
  await box.click();
  await expect(box).toBeChecked();
  await shot(page, 'pinned-page');
  expect(await axeComplaints(page)).toEqual([]);

  await page.goto(new URL('#/settings/models', page.url()).href);
  const request = page.getByRole('region', { name: 'Tools in a request' });
  await expect(request.getByRole('listitem')).toHaveCount(2);
  const most = request.getByRole('textbox', { name: 'Most tools a request' });
  await most.fill('1');
  await most.press('Enter');
  await expect.poll(async () => (await gantry.ask('settings:get', {})).settings.toolsPerRequest).toBe(1);
  await request.getByRole('button', { name: 'Unmark mcp:environment:tool:get_environment_fact' }).click();
  await expect(request.getByRole('listitem')).toHaveCount(1);
  const learned = page.getByRole('region', { name: 'Learned from your calls' });
  await expect(learned).toContainText('Calls counted: 1 done, 0 denied.');
  await learned.scrollIntoViewIfNeeded();
  await shot(page, 'request-tools');
  expect(await axeComplaints(page)).toEqual([]);
  const funnel = await gantry.ask('funnel:get', { principal: BUILT_IN_AGENT, route: 'openai' });
  expect(funnel.stages.at(-1)!.capabilityIds.filter((id) => id.includes(':environment:'))).toEqual(['mcp:environment:tool:get_versions']);
  expect(funnel.pinned).toEqual(['mcp:environment:tool:get_versions']);
  await learned.getByRole('button', { name: 'Forget them' }).click();
  await learned.getByRole('button', { name: 'Forget', exact: true }).click();
  await expect(learned).toContainText('No call has been counted yet.');
  expect(await gantry.ask('choices:get', {})).toEqual({ accepted: 0, refused: 0 });

  if (process.env['GANTRY_SHOTS'] === undefined) return;
  await gantry.ask('settings:set', { language: 'zh', theme: 'dark' });
  await page.setViewportSize({ width: 900, height: 600 });
  await page.getByRole('region', { name: '一次提问中的工具' }).scrollIntoViewIfNeeded();
  await shot(page, 'request-tools-zh-dark');
  await page.goto(new URL('#/capabilities', page.url()).href);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await shot(page, 'pinned-list-zh-dark');
});
