import { expect, test } from 'vitest';
import { redactor } from './redact.ts';

const redact = redactor({ dataDir: '/home/ada.l/.local/share/gantry', home: '/home/ada.l', user: 'ada.l', host: 'lovelace-pc' });

test('DA08 names of the account, the computer and its folders go, however they are written', () => {
  for (const text of [
    '/home/ada.l/.local/share/gantry/apps/x', '/home/ada.l/notes', 'file:///home/ada.l/a%20b', JSON.stringify(JSON.stringify({ path: '/home/ada.l/x' })), 'user=ada.l', 'ADA.L@LOVELACE-PC', encodeURIComponent('/home/ada.l/x'), '/home/someone-else/x', 'C:\\Users\\Grace\\x', 'C:\\\\Users\\\\Grace\\\\x', '/Users/grace/Library',
  ]) {
    expect(redact(text), text).not.toMatch(/ada\.l|lovelace|grace|someone-else/i);
  }
  expect(redact('/home/ada.l/.local/share/gantry/apps/x')).toBe('[data folder]/apps/x');
});

test('DA08 a Windows path goes in both separators and escaped', () => {
  const windows = redactor({ dataDir: 'C:\\Users\\Ada\\AppData\\Roaming\\Gantry', home: 'C:\\Users\\Ada', user: 'Ada', host: 'PC' });
  expect(windows('C:\\Users\\Ada\\AppData\\Roaming\\Gantry\\logs and C:/Users/Ada/x and "C:\\\\Users\\\\Ada\\\\y"')).toBe('[data folder]\\logs and [home]/x and "[home]\\\\y"');
});

test('DA08 ordinary words that hold the name stay', () => {
  expect(redactor({ dataDir: '/d', home: '/', user: 'al', host: '' })('always a metal al')).toBe('always a metal al');
  expect(redactor({ dataDir: '/d/gantry', home: '/root', user: 'root', host: 'x' })('uprooted root')).toBe('uprooted [user]');
});

test('DA08 addresses keep their scheme alone, and configured values go wherever they stand', () => {
  const hide = redactor({ dataDir: '/d/gantry', home: '/home/x', user: '', host: '' }, ['a configured value', 'short']);
  expect(hide('GET https://u:p@corp.example:8443/a?b=c failed; "a configured value" short')).toBe('GET https://[address] failed; "[value]" short');
  expect(hide(JSON.stringify({ url: 'ws://h/x', text: 'say "a configured value"' }))).toBe('{"url":"ws://[address]","text":"say \\"[value]\\""}');
});
