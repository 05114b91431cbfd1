import { expect, test } from 'vitest';
import { urlFacts } from './url-facts.ts';

test('QU06 the host of an address is the one that a browser goes to, whatever stands before it or around it', () => {
  expect(urlFacts('https://bank.example.evil.test:8443/login?to=bank.example#x')).toEqual({ host: 'bank.example.evil.test:8443', href: 'https://bank.example.evil.test:8443/login?to=bank.example#x', punycode: false, loopback: false, encrypted: true });
  expect(urlFacts('https://аррle.com/')).toMatchObject({ punycode: true, host: expect.stringMatching(/^xn--/) });
  expect(urlFacts('https://a.example\u202e/gpj.exe')?.host ?? null).toBeNull();
  expect(urlFacts('http://127.0.0.1:9000/x')).toMatchObject({ loopback: true, encrypted: false });
});

test('QU06 no browser is given another scheme, a name and password in front of the host, or plain http to elsewhere', () => {
  for (const address of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'https://bank.example@evil.test/', 'http://a.example/', 'gantry:x', 'not an address']) expect(urlFacts(address), address).toBeNull();
});
