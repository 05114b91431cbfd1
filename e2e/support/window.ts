import { test as base, type Page } from '@playwright/test';
import { Gantry } from './gantry.ts';

interface Fixtures {
  readonly gantry: Gantry;
  /** Starts Gantry and opens its window; `script` lets rpc decide too. */
  readonly open: (options?: { readonly script?: boolean; readonly lang?: 'en' | 'zh'; readonly env?: Readonly<Record<string, string>> }) => Promise<Page>;
}

/** A test with a Gantry of its own. The window must log no error and break no content policy. */
export const test = base.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern
  gantry: async ({}, provide) => {
    const gantry = new Gantry();
    await provide(gantry);
    await gantry.dispose();
  },
  open: async ({ gantry, page }, provide) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await provide(async (options = {}) => {
      const address = await gantry.start([`--lang=${options.lang ?? 'en'}`, ...(options.script ? ['--approvals=script'] : [])], options.env ?? {});
      await page.goto(address);
      await page.getByRole('main').waitFor();
      return page;
    });
    const unexpected = errors.filter((text) => !/WebSocket connection to .* failed|ERR_CONNECTION_REFUSED/.test(text));
    if (unexpected.length > 0) throw new Error(`the window reported: ${unexpected.join(' | ')}`);
  },
});
export { expect } from '@playwright/test';
