import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

/** A picture of the window as it stands, where GANTRY_SHOTS names a folder for them. */
export const shot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['GANTRY_SHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
};
