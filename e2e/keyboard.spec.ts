import { press, searchFor, tabTo } from './support/keyboard.ts';
import { expect, test } from './support/window.ts';

test('J02 from an app to evidence with the keyboard alone', async ({ open, page }) => {
  await open();
  await press(page, page.getByRole('link', { name: 'Add it', exact: true }));
  await press(page, page.getByRole('button', { name: 'Show what will run' }));
  await press(page, page.getByRole('button', { name: /^Agree/ }));
  await press(page, page.getByRole('button', { name: 'Connect', exact: true }));
  await expect(page.getByText('mcp:environment:tool:get_versions')).toBeVisible();
  const access = page.getByRole('switch', { name: /mcp:environment:tool:get_versions.*Agent Access/ });
  await press(page, access, 'Space');
  await expect(access).toBeChecked();

  await press(page, page.getByRole('link', { name: /^Next: Try a call/ }));
  await press(page, page.getByRole('button', { name: 'Try it', exact: true }));
  await expect(page.getByRole('link', { name: 'Open its run and evidence' })).toBeVisible();

  await press(page, page.getByRole('link', { name: 'First steps' }).last());
  await press(page, page.getByRole('button', { name: /^Let .* ask me$/ }));
  await expect(page.getByRole('link', { name: 'To the tool' })).toBeFocused();
  await page.keyboard.press('Enter');
  await press(page, page.getByRole('button', { name: 'Try it', exact: true }));
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const approve = dialog.getByRole('button', { name: 'Approve once' });
  await expect(approve).toBeEnabled();
  await press(page, dialog.getByRole('button', { name: 'Edit' }));
  await expect(dialog.getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('button', { name: 'Edit' })).toBeFocused();
  await press(page, approve);
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Try it', exact: true })).toBeFocused();
  await press(page, page.getByRole('link', { name: 'Open its run and evidence' }));
  await expect(page.getByText(/chain verified, \d+ events/)).toBeVisible();
});

test('J02 search everything opens by key, finds a server and goes there', async ({ gantry, open, page }) => {
  await open();
  const { serverId } = await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  await gantry.ask('servers:connect', { serverId });
  await searchFor(page, 'get_platform');
  await expect(page.getByRole('dialog').getByText('get_platform').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /get_platform/ })).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Try it', exact: true }));
});

test('J02 the page one is on, asked for again, takes the focus; withdrawing an admission asks first', async ({ gantry, open, page }) => {
  await open();
  const { serverId } = await gantry.ask('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
  await gantry.ask('servers:connect', { serverId });
  const capabilityId = 'mcp:environment:tool:get_platform';
  await page.evaluate((id) => { window.location.hash = `#/capabilities/${encodeURIComponent(id)}`; }, capabilityId);
  const withdraw = page.getByRole('button', { name: 'Withdraw the admission' });
  await tabTo(page, withdraw);
  await searchFor(page, 'get_platform');
  await expect(page.getByRole('dialog').getByText('get_platform').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();

  // left by Escape, the search gives the focus back
  await tabTo(page, withdraw);
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await expect(withdraw).toBeFocused();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Withdraw it' }).waitFor();
  const admitted = async (): Promise<boolean> => (await gantry.ask('capabilities:get', { capabilityId })).capability.admitted;
  expect(await admitted()).toBe(true);
  await press(page, page.getByRole('button', { name: 'Withdraw it' }));
  await expect.poll(admitted).toBe(false);
});
