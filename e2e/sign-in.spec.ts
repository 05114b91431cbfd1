import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { LoginServer } from '../main/servers/auth/login-server.fixture.ts';
import { axeComplaints } from './support/axe.ts';
import { expect, test as base } from './support/window.ts';

const out = fileURLToPath(new URL('./out/sign-in', import.meta.url));
mkdirSync(out, { recursive: true });
const KEY = { GANTRY_PASSPHRASE: 'a long passphrase for tests' };

const test = base.extend<{ readonly server: LoginServer }>({
  // eslint-disable-next-line no-empty-pattern
  server: async ({}, provide) => {
    const server = await LoginServer.start();
    server.asksPerson = true;
    server.resource = (own) => ({ ...own, scopes_supported: ['notes:read'] });
    await provide(server);
    await server.close();
  },
});

const LOOKS = [
  { width: 1280, height: 800, scheme: 'light' },
  { width: 1280, height: 800, scheme: 'dark' },
  { width: 900, height: 600, scheme: 'light' },
  { width: 900, height: 600, scheme: 'dark' },
] as const;

const look = async (page: Page, name: string): Promise<void> => {
  for (const { width, height, scheme } of LOOKS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: `${out}/${name}-${scheme}-${width}.png` });
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} ${width}`).toBe(true);
    expect(await axeComplaints(page), `${name} ${scheme} ${width}`).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
};

const WORDS = {
  en: { begin: 'Sign in', open: 'Open the page', out: 'Sign out', awaits: 'Awaits your sign-in', stop: 'Stop', at: 'Signed in at', panel: 'Signing in' },
  zh: { begin: '登录', open: '打开页面', out: '退出登录', awaits: '等待你登录', stop: '停止', at: '已登录于', panel: '登录' },
} as const;

for (const lang of ['en', 'zh'] as const) {
  test(`AU18 AU07 the journey in ${lang}: a server wants a sign-in, its page leads there and back, it is used, asks for more, and is signed out of`, async ({ gantry, open, server, context }) => {
    const words = WORDS[lang];
    const page = await open({ lang, script: true, env: KEY });
    const main = page.getByRole('main');
    const button = (name: string) => main.getByRole('button', { name, exact: true });
    await gantry.ask('servers:add', { serverId: 'far', name: 'Notes', spec: { kind: 'http', url: server.url } });
    await gantry.ask('servers:connect', { serverId: 'far' });
    await page.evaluate(() => { location.hash = '#/servers'; });
    await expect(main.getByText(words.awaits, { exact: true }).first()).toBeVisible();
    await page.evaluate(() => { location.hash = '#/servers/far'; });
    const panel = main.getByRole('region', { name: words.panel, exact: true });
    await expect(panel).toContainText(new URL(server.base).host);
    expect(server.at('/register')).toEqual([]);
    await look(page, `${lang}-needed`);

    await button(words.begin).click();
    const link = panel.getByRole('link', { name: words.open });
    await expect(link).toBeVisible();
    expect(server.at('/authorize')).toEqual([]);
    await expect(panel.locator('strong').first()).toHaveText(new URL(server.base).host);
    expect(await link.getAttribute('rel')).toContain('noopener');
    await look(page, `${lang}-waiting`);
    await button(words.stop).click();
    await expect(button(words.begin)).toBeVisible();

    const signIn = async (): Promise<void> => {
      await button(words.begin).click();
      const [login] = await Promise.all([context.waitForEvent('page'), link.click()]);
      await login.getByRole('link', { name: 'Allow' }).click();
      await expect(login.getByText('Signed in. You can close this page')).toBeVisible();
      await login.close();
    };
    await signIn();
    await expect(panel).toContainText(words.at);
    await expect(panel).toContainText('notes:read');
    // signed in is said before its tools are read
    const isReady = () => expect.poll(async () => (await gantry.ask('servers:get', { serverId: 'far' })).server.state).toBe('ready');
    await isReady();
    await look(page, `${lang}-signed-in`);

    await gantry.ask('capabilities:review', { capabilityId: 'mcp:far:tool:echo', tier: 'read_only', admit: true });
    const call = () => gantry.ask('calls:try', { capabilityId: 'mcp:far:tool:echo', input: { text: 'hi' }, wait: true });
    expect(await call()).toMatchObject({ state: 'completed', class: 'ok' });
    server.wants = ['notes:write'];
    expect(await call()).toMatchObject({ state: 'failed', code: 'scope_missing' });
    await expect(panel).toContainText('notes:write');
    await look(page, `${lang}-more-rights`);
    await signIn();
    await expect(panel).toContainText('notes:read notes:write');
    await isReady();
    expect(await call()).toMatchObject({ state: 'completed' });

    await button(words.out).click();
    await expect(button(words.begin)).toBeVisible();
    await expect.poll(() => server.revoked).toHaveLength(2);
    expect(await page.content()).not.toMatch(/(?:access|refresh)-[0-9a-f]{8}-/);
  });
}

test('AU18 C101 where the login server registers nobody, the page asks for a client id, shows the redirect address, and goes on with it', async ({ gantry, open, server, context }) => {
  server.metadata = ({ registration_endpoint: _none, ...own }) => own;
  const page = await open({ env: KEY });
  const main = page.getByRole('main');
  await gantry.ask('servers:add', { serverId: 'far', name: 'Notes', spec: { kind: 'http', url: server.url } });
  await gantry.ask('servers:connect', { serverId: 'far' });
  await page.evaluate(() => { location.hash = '#/servers/far'; });
  await main.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(main.getByText('http://127.0.0.1/callback', { exact: true })).toBeVisible();
  await look(page, 'en-client-id');
  await main.getByLabel('Port of the redirect address').fill('80');
  await main.getByRole('textbox', { name: 'Client id' }).fill('cid-1');
  await expect(main.getByText('A port is a number from 1024 to 65535.')).toBeVisible();
  await main.getByLabel('Port of the redirect address').fill('');
  await main.getByLabel('Client secret').fill('secret-of-the-client');
  await main.getByRole('button', { name: 'Save and sign in' }).click();
  const [login] = await Promise.all([context.waitForEvent('page'), main.getByRole('link', { name: 'Open the page' }).click()]);
  await login.getByRole('link', { name: 'Allow' }).click();
  await expect(login.getByText('Signed in. You can close this page')).toBeVisible();
  await expect(main.getByText('Signed in at')).toBeVisible();
  expect(server.at('/authorize')[0]!.query.get('client_id')).toBe('cid-1');
  expect(server.at('/register')).toEqual([]);
  expect(JSON.stringify(await gantry.ask('servers:get', { serverId: 'far' }))).not.toContain('secret-of-the-client');
});

test('AU18 N01 metadata elsewhere waits for the person’s agreement by name', async ({ gantry, open, server }) => {
  const other = await LoginServer.start();
  try {
    server.challenge = () => `Bearer resource_metadata="${other.base}/.well-known/oauth-protected-resource/mcp"`;
    other.resource = () => ({ resource: server.url, authorization_servers: [server.base] });
    const page = await open({ env: KEY });
    const main = page.getByRole('main');
    await gantry.ask('servers:add', { serverId: 'far', name: 'Notes', spec: { kind: 'http', url: server.url } });
    await gantry.ask('servers:connect', { serverId: 'far' });
    await page.evaluate(() => { location.hash = '#/servers/far'; });
    const agree = main.getByRole('button', { name: `Agree to ${other.base} and sign in` });
    await expect(agree).toBeVisible();
    expect(other.asked).toEqual([]);
    await look(page, 'en-agree');
    await agree.click();
    await expect(main.getByRole('link', { name: 'Open the page' })).toBeVisible();
  } finally {
    await other.close();
  }
});
