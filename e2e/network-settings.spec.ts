import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { LocalProxy } from './fixtures/local-proxy.ts';
import { LocalRegistry } from './fixtures/local-registry.ts';
import { TestAuthority } from './fixtures/test-authority.ts';
import { axeComplaints } from './support/axe.ts';
import { expect, test } from './support/window.ts';

const out = fileURLToPath(new URL('./out/network', import.meta.url));
const WORDS = {
  en: { proxy: 'Proxy', certificate: 'Company certificate', mirror: 'npm mirror', contacts: 'Whom Gantry contacts', manual: 'This one', address: 'Address', user: 'User name', save: 'Save', password: 'Password', seal: 'Seal the password', test: /^Test this: /, fails: /^It does not work/, works: /^It works/, pick: 'Choose a file', mirrorAddress: 'Address of the mirror', path: 'Path of the PEM file', add: 'Add it' },
  zh: { proxy: '代理', certificate: '公司证书', mirror: 'npm 镜像', contacts: 'Gantry 会联系谁', manual: '使用此代理', address: '地址', user: '用户名', save: '保存', password: '密码', seal: '加密保存密码', test: /^测试: /, fails: /^无法连接/, works: /^可以连接/, pick: '选择文件', mirrorAddress: '镜像地址', path: 'PEM 文件的路径', add: '添加' },
} as const;

const shoot = async (page: Page, what: string): Promise<void> => {
  mkdirSync(out, { recursive: true });
  for (const [width, height] of [[1280, 800], [900, 600]] as const) {
    await page.setViewportSize({ width, height });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    for (const name of ['proxy', 'certificate', 'mirror', 'contacts'] as const) {
      const section = page.locator(`section[aria-label="${WORDS[what.startsWith('zh') ? 'zh' : 'en'][name]}"]`);
      await section.scrollIntoViewIfNeeded();
      await section.screenshot({ path: join(out, `${what}-${width}-${name}.png`) });
    }
  }
  expect(await axeComplaints(page)).toEqual([]);
};

for (const [lang, theme] of [['en', 'light'], ['zh', 'dark']] as const) {
  test(`NW08 NW12 NW17 NW20 proxy, certificate and mirror are set and tested in the window, ${lang}, ${theme}`, async ({ gantry, open, page }) => {
    const w = WORDS[lang];
    const authority = new TestAuthority();
    const registry = await LocalRegistry.start({ tls: authority.issue({ name: 'registry.example', altNames: ['registry.example'] }), address: 'https://registry.example/' });
    const proxy = await LocalProxy.start({ login: { user: 'ann', password: 'Right-Password-9' }, leadsTo: { 'registry.example': { port: registry.port } } });
    try {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await open({ lang, env: { GANTRY_PASSPHRASE: 'a passphrase of a test', npm_config_userconfig: join(gantry.dataDir, 'none'), npm_config_fetch_retries: '0' } });
      await page.evaluate(() => { location.hash = '#/settings'; });
      const section = (name: 'proxy' | 'certificate' | 'mirror' | 'contacts') => page.locator(`section[aria-label="${w[name]}"]`);
      await section('contacts').getByRole('table').waitFor();
      await shoot(page, `${lang}-empty`);

      await section('proxy').getByText(w.manual, { exact: true }).click();
      await section('proxy').getByLabel(w.address, { exact: true }).fill('socks5://p:1');
      await section('proxy').getByRole('button', { name: w.save, exact: true }).click();
      await expect(section('proxy').getByText('/proxyAddress')).toBeVisible();
      await section('proxy').getByLabel(w.address, { exact: true }).fill(proxy.url);
      await section('proxy').getByLabel(w.user, { exact: true }).fill('ann');
      await section('proxy').getByRole('button', { name: w.save, exact: true }).click();
      await section('mirror').getByLabel(w.mirrorAddress, { exact: true }).fill('https://registry.example/');
      await section('mirror').getByRole('button', { name: w.save, exact: true }).click();
      await section('proxy').getByRole('textbox', { name: w.password, exact: true }).fill('wrong');
      await section('proxy').getByRole('button', { name: w.seal }).click();
      // taken: what is tested next is tested with it
      await expect(section('proxy').getByRole('textbox', { name: w.password, exact: true })).toHaveValue('');
      await section('proxy').getByRole('button', { name: w.test }).click();
      await expect(section('proxy').getByText(w.fails)).toBeVisible();
      await expect(section('proxy').getByText('proxy_refused')).toBeVisible();
      await section('proxy').getByRole('textbox', { name: w.password, exact: true }).fill('Right-Password-9');
      await section('proxy').getByRole('button', { name: w.seal }).click();
      // taken: what is tested next is tested with it
      await expect(section('proxy').getByRole('textbox', { name: w.password, exact: true })).toHaveValue('');
      await section('mirror').getByRole('button', { name: w.test }).click();
      await expect(section('mirror').getByText('certificate_untrusted').first()).toBeVisible();
      await expect(section('mirror').getByText(/Test Company Root/).first()).toBeVisible();
      await section('certificate').getByLabel(w.path, { exact: true }).fill(join(gantry.dataDir, 'absent.pem'));
      await section('certificate').getByRole('button', { name: w.add, exact: true }).click();
      await expect(section('certificate').getByText('file_unreadable')).toBeVisible();
      // what the tests contacted stands in the table without opening the page anew
      await expect(section('contacts').getByRole('row').last()).toContainText(/registry\.example|127\.0\.0\.1/);
      await shoot(page, `${lang}-failed`);

      const path = join(gantry.dataDir, 'root.pem');
      writeFileSync(path, authority.cert);
      await section('certificate').locator('input[type=file]').setInputFiles(path);
      await expect(section('certificate').getByText('CN=Test Company Root').first()).toBeVisible();
      await section('mirror').getByRole('button', { name: w.test }).click();
      await expect(section('mirror').getByText(w.works)).toBeVisible();
      await section('proxy').getByRole('button', { name: w.test }).click();
      await expect(section('proxy').getByText(w.works)).toBeVisible();
      expect((await gantry.ask('network:get', {})).network).toMatchObject({ proxy: { https: proxy.url, passwordSet: true }, certificate: { name: 'root.pem' }, npm: { registry: 'https://registry.example/' } });
      expect(await page.evaluate(() => document.body.innerHTML.includes('Right-Password-9') || [...document.querySelectorAll('input')].some((one) => one.value.includes('Right-Password-9')))).toBe(false);
      await page.reload();
      await section('contacts').getByText('registry.example:443').waitFor();
      await shoot(page, `${lang}-full`);
    } finally {
      await Promise.all([registry.close(), proxy.close()]);
    }
  });
}
