import { expect, test } from './support/window.ts';

test('J01 from an app to evidence with the mouse, and all is found again after a restart', async ({ open, gantry, page }) => {
  await open();
  await page.getByRole('link', { name: 'Servers', exact: true }).click();
  await page.getByRole('link', { name: 'Add the environment app' }).or(page.getByRole('button', { name: 'Add the environment app' })).first().click();
  await page.getByRole('button', { name: 'Show what will run' }).click();
  // what will run is shown before anything does
  await expect(page.getByText('server.mjs').first()).toBeVisible();
  await page.getByRole('button', { name: /^Agree/ }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('mcp:environment:tool:get_versions')).toBeVisible();

  const access = page.getByRole('switch', { name: /mcp:environment:tool:get_versions.*Agent Access/ });
  await expect(access).not.toBeChecked();
  await access.click({ force: true });
  await expect(access).toBeChecked();

  // the person's own call: read only, it runs at once
  await page.getByRole('link', { name: 'First steps' }).first().click();
  await page.getByRole('link', { name: 'Try it', exact: true }).click();
  await page.getByRole('button', { name: 'Try it', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Open its run and evidence' })).toBeVisible();

  // a rule makes this read-only tool ask, so that the dialog is seen
  await page.getByRole('link', { name: 'First steps' }).first().click();
  await page.getByRole('button', { name: /^Let .* ask me$/ }).click();
  await page.getByRole('link', { name: 'To the tool' }).click();
  await page.getByRole('button', { name: 'Try it', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await expect(dialog.getByText('mcp:environment:tool:get_versions')).toBeVisible();
  await expect(dialog.getByText(/SHA-256/)).toBeVisible();
  const approve = dialog.getByRole('button', { name: 'Approve once' });
  await expect(approve).toBeEnabled();
  await approve.click();
  await page.getByRole('link', { name: 'Open its run and evidence' }).click();
  await expect(page.getByText(/chain verified, \d+ events/)).toBeVisible();
  for (const stage of ['plan', 'normalize', 'policy', 'approve', 'dispatch', 'validate', 'evidence']) await expect(page.getByText(stage, { exact: true }).first()).toBeVisible();

  // both runs have ended: nothing is added to their chains any more
  await expect.poll(async () => (await gantry.ask('runs:list', {})).runs.map((run) => run.state)).toEqual(['completed', 'completed']);
  const runs = await gantry.ask('runs:list', {});
  await gantry.stop();
  const address = await gantry.start();
  await page.goto('about:blank');
  await page.goto(address);
  await page.getByRole('link', { name: 'Servers', exact: true }).click();
  await page.getByRole('link', { name: 'Environment' }).first().click();
  await expect(page.getByRole('switch', { name: /mcp:environment:tool:get_versions.*Agent Access/ })).toBeChecked();
  expect((await gantry.ask('runs:list', {})).runs.map((r) => r.headHash)).toEqual(runs.runs.map((r) => r.headHash));
});
