import { systemClock } from '../main/clock.ts';
import { openStore } from '../main/store/open.ts';
import { axeComplaints } from './support/axe.ts';
import { expect, test } from './support/window.ts';

test('J24 U110 a server whose stored row cannot be read says so in the list and on its page, and is removed there', async ({ gantry, open }) => {
  await gantry.start();
  for (const serverId of ['sound', 'notes']) await gantry.ask('servers:add', { serverId, name: serverId, consent: false, spec: { kind: 'command', command: process.execPath } });
  await gantry.stop();
  const opened = await openStore({ dataDir: gantry.dataDir, clock: systemClock });
  if (!opened.ok) throw new Error(opened.error.message);
  opened.value.store.write((db) => db.run(`UPDATE servers SET spec_json = '{"kind":"vessel"}' WHERE id = 'notes'`));
  opened.value.store.close();

  const page = await open();
  const isAccessible = async (): Promise<void> => expect(await axeComplaints(page)).toEqual([]);
  const go = (hash: string) => page.evaluate((to) => { location.hash = to; }, hash);
  const notice = page.getByRole('status').filter({ hasText: 'Something stored cannot be read.' });
  await expect(notice).toContainText('Left out: 1 of the servers (notes). Nothing was deleted.');
  await isAccessible();
  await notice.getByRole('button', { name: 'Understood' }).click();
  await expect(notice).toHaveCount(0);
  await go('#/servers');
  await expect(page.getByRole('row', { name: /notes/ })).toContainText('Cannot be read');
  await expect(page.getByRole('row', { name: /sound/ })).toBeVisible();
  await page.getByRole('link', { name: 'notes' }).click();
  await expect(page.getByRole('heading', { name: 'notes' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('written by a newer Gantry');
  await isAccessible();
  await page.getByRole('main').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('dialog')).toContainText('sealed secrets');
  await isAccessible();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('row', { name: /sound/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /notes/ })).toHaveCount(0);
});
