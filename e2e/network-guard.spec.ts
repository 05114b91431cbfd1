import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { LoginServer } from '../main/servers/auth/login-server.fixture.ts';
import { visit } from '../main/servers/auth/person.fixture.ts';
import { RemoteApp } from './fixtures/remote-app.ts';
import { TestAuthority } from './fixtures/test-authority.ts';
import { axeComplaints } from './support/axe.ts';
import { expect, test } from './support/window.ts';

const out = fileURLToPath(new URL('./out/network-guard', import.meta.url));
mkdirSync(out, { recursive: true });
const names = fileURLToPath(new URL('./fixtures/names.mjs', import.meta.url));

/** One picture in each language, look and size; the page is free of axe violations. */
const look = async (page: Page, name: string, [width, height, colorScheme]: readonly [number, number, 'light' | 'dark']): Promise<void> => {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.screenshot({ path: `${out}/${name}-${colorScheme}-${width}.png`, fullPage: true });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} ${width}`).toBe(true);
  expect(await axeComplaints(page), name).toEqual([]);
};
const goTo = (page: Page, hash: string): Promise<void> => page.evaluate((to) => { location.hash = to; }, hash);

test('J65 N06 N11 a public name that leads to this computer is refused by name, agreed to with one click, listed with where it led, and taken back', async ({ gantry, open }) => {
  const app = await RemoteApp.start();
  try {
    const page = await open({ env: { NODE_OPTIONS: `--import=${names}`, GANTRY_TEST_NAMES: JSON.stringify({ 'mcp.gantry.example': ['127.0.0.1'], 'meta.gantry.example': ['169.254.169.254'] }) } });
    const main = page.getByRole('main');
    const url = `http://mcp.gantry.example:${app.port}/mcp`;
    await gantry.ask('servers:add', { serverId: 'near', name: 'Near', spec: { kind: 'http', url } });
    await gantry.ask('servers:add', { serverId: 'meta', name: 'Meta', spec: { kind: 'http', url: `http://meta.gantry.example:${app.port}/mcp` } });
    expect(await gantry.ask('servers:connect', { serverId: 'meta' })).toMatchObject({ code: 'address_refused', fault: { details: { kind: 'metadata', agreeable: false } } });
    await gantry.ask('servers:connect', { serverId: 'near' });
    await goTo(page, '#/servers/near');
    const agree = main.getByRole('button', { name: 'Agree: mcp.gantry.example is this computer' });
    await expect(agree).toBeVisible();
    await expect(main.getByText('leads to 127.0.0.1')).toBeVisible();
    expect(app.asked).toEqual([]);
    await look(page, 'refused-en', [1280, 800, 'light']);
    await agree.click();
    const reach = main.getByRole('region', { name: 'Whom Gantry contacted for this server' });
    await expect(reach.getByRole('row', { name: new RegExp(`mcp\\.gantry\\.example:${app.port}.*its tools.*127\\.0\\.0\\.1`) })).toBeVisible();
    await expect(reach.getByText('You agreed that mcp.gantry.example leads to this computer.')).toBeVisible();
    await expect.poll(async () => (await gantry.ask('servers:get', { serverId: 'near' })).server.state).toBe('ready');
    await reach.scrollIntoViewIfNeeded();
    await look(page, 'agreed-en', [900, 600, 'dark']);
    await reach.getByRole('button', { name: 'Take back' }).click();
    await expect(agree).toBeVisible();

    await gantry.ask('settings:set', { language: 'zh' });
    await expect(main.getByRole('button', { name: '同意：mcp.gantry.example 就是本机' })).toBeVisible();
    await look(page, 'refused-zh', [900, 600, 'light']);
    await goTo(page, '#/servers/meta');
    await expect(main.getByText('它指向云平台向其机器发放凭据的服务')).toBeVisible();
    await expect(main.getByRole('button', { name: /^同意/ })).toHaveCount(0);
    await look(page, 'metadata-zh', [1280, 800, 'dark']);
  } finally {
    await app.close();
  }
});

test('J66 J68 N09 a certificate of an unknown authority is named, its fault leads to the company certificate, and with it the server is reached; the client document is set beside it', async ({ gantry, open }) => {
  const authority = new TestAuthority();
  const app = await RemoteApp.start(authority.issue({ name: 'mcp.gantry.example', altNames: ['mcp.gantry.example', '127.0.0.1'] }));
  try {
    const page = await open();
    const main = page.getByRole('main');
    await gantry.ask('servers:add', { serverId: 'near', name: 'Near', spec: { kind: 'http', url: `https://127.0.0.1:${app.port}/mcp` } });
    expect(await gantry.ask('servers:connect', { serverId: 'near' })).toMatchObject({ code: 'certificate_untrusted', fault: { details: { why: 'unknown_issuer' } } });
    await goTo(page, '#/servers/near');
    await expect(main.getByText(`https://127.0.0.1:${app.port}/mcp shows a certificate whose issuer this computer does not know`)).toBeVisible();
    await main.getByRole('link', { name: 'Company certificate' }).click();
    const certificate = page.getByRole('region', { name: 'Company certificate' });
    const path = join(gantry.dataDir, 'root.pem');
    writeFileSync(path, authority.cert);
    await certificate.getByLabel('Path of the PEM file', { exact: true }).fill(path);
    await certificate.getByRole('button', { name: 'Add it', exact: true }).click();
    await expect.poll(async () => (await gantry.ask('servers:get', { serverId: 'near' })).server.state).toBe('ready');

    const signIn = page.getByRole('region', { name: 'Signing in at servers' });
    const address = signIn.getByLabel('Address of the client metadata document');
    await address.fill('http://gantry.example/client.json');
    await signIn.getByRole('button', { name: 'Save' }).click();
    await expect(signIn.getByText('invalid_request')).toBeVisible();
    await signIn.scrollIntoViewIfNeeded();
    await look(page, 'document-en', [1280, 800, 'light']);
    await address.fill('https://gantry.example/client.json');
    await signIn.getByRole('button', { name: 'Save' }).click();
    await expect(signIn.getByText('It counts from the next sign-in on.')).toBeVisible();
    expect((await gantry.ask('settings:get', {})).settings.clientDocument).toBe('https://gantry.example/client.json');
  } finally {
    await app.close();
  }
});

test('J67 J69 N03 another login server than last time says so before its page is opened; removing names the sign-in that goes, and takes it back', async ({ gantry, open }) => {
  const server = await LoginServer.start();
  const other = await LoginServer.start();
  try {
    const page = await open({ env: { GANTRY_PASSPHRASE: 'a long passphrase for tests' } });
    const main = page.getByRole('main');
    await gantry.ask('servers:add', { serverId: 'far', name: 'Far', spec: { kind: 'http', url: server.url } });
    await gantry.ask('servers:connect', { serverId: 'far' });
    const first = gantry.ask('servers:sign-in', { serverId: 'far', wait: true });
    await expect.poll(async () => (await gantry.ask('servers:get', { serverId: 'far' })).server.signIn?.pending?.address ?? '').not.toBe('');
    await visit((await gantry.ask('servers:get', { serverId: 'far' })).server.signIn!.pending!.address);
    expect(await first).toMatchObject({ state: 'ready' });

    // the server names another one from now on
    server.resource = (own) => ({ ...own, authorization_servers: [other.base] });
    server.tokens = 'invalid_grant';
    server.forgetTokens();
    await gantry.ask('servers:discover', { serverId: 'far' });
    await goTo(page, '#/servers/far');
    await main.getByRole('button', { name: 'Sign in', exact: true }).click();
    const notice = main.getByRole('alert').filter({ hasText: 'This is another login server than last time, which was' });
    await expect(notice).toContainText(server.base);
    expect(other.at('/token')).toEqual([]);
    await look(page, 'another-login-server-en', [1280, 800, 'light']);
    await gantry.ask('servers:sign-in-cancel', { serverId: 'far' });

    server.resource = (own) => own;
    server.tokens = 'ok';
    const again = gantry.ask('servers:sign-in', { serverId: 'far', wait: true });
    await expect.poll(async () => (await gantry.ask('servers:get', { serverId: 'far' })).server.signIn?.pending?.address ?? '').not.toBe('');
    await visit((await gantry.ask('servers:get', { serverId: 'far' })).server.signIn!.pending!.address);
    expect(await again).toMatchObject({ state: 'ready' });
    await main.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(`your sign-in at ${new URL(server.base).host}`);
    await look(page, 'remove-en', [900, 600, 'dark']);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => server.revoked.length).toBe(2);
  } finally {
    await server.close();
    await other.close();
  }
});
