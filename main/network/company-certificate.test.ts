import { chmodSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { beforeEach, describe, expect, test } from 'vitest';
import { TestAuthority } from '../../e2e/fixtures/test-authority.ts';
import { appEnvironment, appEnvironmentNames } from './app-environment.ts';
import { CompanyCertificateFile, readCertificates } from './company-certificate.ts';
import { DIRECT, type OutboundConfig } from './proxy-route.ts';

const NOW = Date.now();
const DAY_MS = 86_400_000;
const one = new TestAuthority('One Root');
const two = new TestAuthority('Two Root');

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gantry-ca-'));
});

describe('the file', () => {
  const why = (text: string, now = NOW): unknown => {
    const read = readCertificates(text, now);
    return read.ok ? read.value.facts.map(({ subject }) => subject) : read.error.details?.['why'];
  };

  test('NW12 one or several authorities are taken, once each, whatever stands around them; anything else is refused whole', () => {
    expect(why(one.cert)).toEqual(['CN=One Root']);
    expect(why(`Bag Attributes\r\n${one.cert.replaceAll('\n', '\r\n')}some words\n${two.cert}\n${one.cert}`)).toEqual(['CN=One Root', 'CN=Two Root']);
    expect(why('')).toBe('not_pem');
    expect(why('-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----')).toBe('not_pem');
    expect(why('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----')).toBe('unreadable');
    expect(why(one.cert.slice(0, -60))).toBe('not_pem');
    const leaf = one.issue({ name: 'server.example', altNames: ['server.example'] });
    expect(why(leaf.cert)).toBe('not_a_ca');
    expect(why(`${one.cert}${leaf.cert}`)).toBe('not_a_ca');
    expect(why(`${one.cert}${leaf.key}`)).toBe('private_key');
    expect(why(one.cert, NOW + 60 * DAY_MS)).toBe('expired');
    expect(why(one.cert, NOW - 60 * DAY_MS)).toBe('not_yet_valid');
    expect(why(one.cert.repeat(101))).toBe('too_many');
    expect(readCertificates(leaf.cert, NOW)).toMatchObject({ ok: false, error: { code: 'certificate_unfit', message: expect.stringContaining('CN=server.example'), remedy: expect.any(String) } });
  });

  test('NW12 it is copied: the copy holds without the file, says its facts after a restart, and a refused one changes nothing', async () => {
    const path = join(dataDir, 'company root.pem');
    writeFileSync(path, one.cert);
    const file = new CompanyCertificateFile(dataDir);
    expect([file.about, file.pems, file.problem]).toEqual([null, [], null]);
    expect(await file.set({ path }, NOW)).toMatchObject({ ok: true, value: { name: path, addedAt: NOW, certificates: [{ subject: 'CN=One Root', issuer: 'CN=One Root', fingerprint: expect.stringMatching(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/) }] } });
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    for (const [source, code, detail] of [
      [{ path: join(dataDir, 'absent.pem') }, 'file_unreadable', 'absent'],
      [{ path: dataDir }, 'file_unreadable', 'not_a_file'],
      [{ pem: 'no certificate', name: 'x.txt' }, 'certificate_unfit', 'not_pem'],
    ] as const) {
      const refused = await file.set(source, NOW);
      expect(refused).toMatchObject({ ok: false, error: { code, field: 'pem' in source ? '/pem' : '/path' } });
      expect(Object.values(refused.ok ? {} : (refused.error.details ?? {}))).toContain(detail);
    }
    const again = new CompanyCertificateFile(dataDir);
    expect(again.about).toEqual(file.about);
    expect(again.pems).toEqual([one.cert.replaceAll('\r\n', '\n').trim()]);
    again.remove();
    expect([again.about, new CompanyCertificateFile(dataDir).about]).toEqual([null, null]);
  });

  test('NW12 a copy that was changed is told and not used', async () => {
    const file = new CompanyCertificateFile(dataDir);
    await file.set({ pem: one.cert, name: 'root.pem' }, NOW);
    for (const spoiled of ['', one.cert, readFileSync(file.path, 'utf8').replace(/MII../, '!!!!!'), readFileSync(file.path, 'utf8').split('-----BEGIN')[0]!]) {
      writeFileSync(file.path, spoiled);
      const read = new CompanyCertificateFile(dataDir);
      expect([read.about, read.pems, read.problem?.code]).toEqual([null, [], 'file_unreadable']);
    }
  });
});

describe('what an app gets', () => {
  const proxy = { secure: false, host: 'proxy.example', port: 3128, user: 'ann', password: 'p:w' };
  const config: OutboundConfig = { ...DIRECT, proxies: { http: proxy, https: proxy }, bypass: ['corp.example'], extraRoots: [one.cert] };
  const get = (proxyForApps: boolean, certificateForApps: boolean, onOwnNode = true, hostEnv: Readonly<Record<string, string>> = {}) => appEnvironment({ settings: { proxyForApps, certificateForApps }, config: () => Promise.resolve(config), dataDir, onOwnNode, hostEnv });

  test('NW09 the proxy with its name and password reaches an app only where that was allowed, and this computer stays outside of it', async () => {
    expect(await get(false, false)).toEqual({});
    // nor is the way looked for, which may mean to ask the login shell
    expect(await appEnvironment({ settings: { proxyForApps: false, certificateForApps: false }, config: () => Promise.reject(new Error('asked')), dataDir, onOwnNode: true })).toEqual({});
    const whole = 'http://ann:p%3Aw@proxy.example:3128';
    const around = 'localhost,127.0.0.1,::1,corp.example';
    expect(await get(true, false)).toEqual({ http_proxy: whole, HTTP_PROXY: whole, https_proxy: whole, HTTPS_PROXY: whole, no_proxy: around, NO_PROXY: around });
    expect(await appEnvironment({ settings: { proxyForApps: true, certificateForApps: false }, config: () => Promise.resolve(DIRECT), dataDir, onOwnNode: true })).toEqual({});
  });

  test('NW13 the certificate is added for Node, and put beside all other roots for programs that read one file alone', async () => {
    const own = await get(false, true);
    expect(Object.keys(own)).toEqual(['NODE_EXTRA_CA_CERTS']);
    const added = readFileSync(own['NODE_EXTRA_CA_CERTS']!, 'utf8');
    expect(added).toContain(one.cert.replaceAll('\r\n', '\n').trim().slice(0, 200).split('\n')[1]);
    expect(added.match(/BEGIN CERTIFICATE/g)).toHaveLength(1 + getCACertificates('extra').length);
    const other = await get(false, true, false);
    expect(Object.keys(other).sort()).toEqual(['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE']);
    expect(readFileSync(other['SSL_CERT_FILE']!, 'utf8').match(/BEGIN CERTIFICATE/g)).toHaveLength(1 + getCACertificates('default').length);
    // the roots that the system names are kept
    const named = join(dataDir, 'system.pem');
    writeFileSync(named, two.cert);
    expect(readFileSync((await get(false, true, false, { SSL_CERT_FILE: named }))['SSL_CERT_FILE']!, 'utf8').match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    expect(await appEnvironment({ settings: { proxyForApps: false, certificateForApps: true }, config: () => Promise.resolve(DIRECT), dataDir, onOwnNode: true })).toEqual({});
  });

  test('NW09 NW13 the launch that is shown names what the settings may give it', () => {
    expect(appEnvironmentNames({ proxyForApps: false, certificateForApps: true }, false, true)).toEqual([]);
    expect(appEnvironmentNames({ proxyForApps: true, certificateForApps: true }, true, false)).toEqual(['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE']);
  });

  test('NW12 a folder that cannot be read is told as such', async () => {
    mkdirSync(join(dataDir, 'network', 'company-ca.pem'), { recursive: true });
    chmodSync(join(dataDir, 'network'), 0o700);
    expect(new CompanyCertificateFile(dataDir).problem).toMatchObject({ code: 'file_unreadable', details: { cause: 'EISDIR' } });
  });
});
