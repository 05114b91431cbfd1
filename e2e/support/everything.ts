import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { Gantry } from './gantry.ts';
import { expect } from './window.ts';

const program = join(dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')), 'dist', 'index.js');

/** server-everything of npm, as it lies in node_modules, connected as `everything`. */
export const connectEverything = async (gantry: Gantry): Promise<void> => {
  await gantry.ask('servers:add', { serverId: 'everything', name: 'Everything', spec: { kind: 'command', command: process.execPath, args: [program, 'stdio'] } });
  expect(await gantry.ask('servers:connect', { serverId: 'everything' })).toMatchObject({ state: 'ready' });
};

export const toolPage = (page: Page, tool: string): Promise<void> => page.evaluate((id) => { window.location.hash = `#/capabilities/${encodeURIComponent(id)}`; }, `mcp:everything:tool:${tool}`);

/** Tools that its own reviewer lets run without a question, so that a journey is about what the server asks. */
export const reviewAsRead = (gantry: Gantry, tool: string): Promise<unknown> => gantry.ask('capabilities:review', { capabilityId: `mcp:everything:tool:${tool}`, tier: 'read_only', admit: true });

/** A button of the dialog, once its delay is over. */
export const armed = async (dialog: Locator, name: string | RegExp): Promise<Locator> => {
  const button = dialog.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) }).or(dialog.getByRole('link', { name, ...(typeof name === 'string' ? { exact: true } : {}) }));
  await expect(button).toBeEnabled();
  return button;
};
