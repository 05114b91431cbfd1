import i18next from 'i18next';
import { expect, it } from 'vitest';
import { NoticeSchema, type Notice } from '../../shared/notice.ts';
import { resources } from '../i18n/resources.ts';
import { noticeWords } from './notice-words.ts';

const details: Readonly<Record<Notice['code'], Record<string, unknown>>> = {
  store_set_aside: { path: '/d/gantry.db.aside', reason: 'malformed', lastBackup: '/d/backups/a.db' },
  setting_unreadable: { key: 'theme', known: true },
  secrets_passphrase_refused: { code: 'wrong_passphrase' },
  secret_unreadable: { serverId: 'notes', place: 'env.API_KEY' },
  row_unreadable: { table: 'runs', count: 2, rows: ['a', 'b'] },
  data_brought_back: { kind: 'restore', code: 'backup_invalid' },
  data_restored: { backupAt: Date.UTC(2026, 10, 29, 12), consent: 2, setAside: '/d/set-aside/a' },
  data_reset: { what: 'everything', setAside: '/d/set-aside/a' },
};

it.each(['en', 'zh'] as const)('U110: every notice has a title and a sentence in %s, with what it is about', async (lng) => {
  const i18n = i18next.createInstance();
  await i18n.init({ lng, resources: { en: { translation: resources.en }, zh: { translation: resources.zh } }, interpolation: { escapeValue: false } });
  for (const code of NoticeSchema.shape.code.options) {
    const words = noticeWords({ code, at: 1, message: 'The host said so.', details: details[code] }, i18n.t, lng);
    expect(`${words.title} ${words.body}`).not.toMatch(/notice\.|code\.|\{\{/);
    expect(words.title).not.toBe('');
    expect(words.body).not.toBe('');
    const named = ['path', 'key', 'serverId', 'place', 'setAside'].flatMap((name) => (name in details[code] ? [String(details[code][name])] : []));
    for (const value of named) expect(words.body).toContain(value);
  }
});

it.each(['en', 'zh'] as const)('DA45 DA35: what was restored or reset is said in %s, with from when and how many servers wait', async (lng) => {
  const i18n = i18next.createInstance();
  await i18n.init({ lng, resources: { en: { translation: resources.en }, zh: { translation: resources.zh } }, interpolation: { escapeValue: false } });
  const say = (code: Notice['code'], of: Record<string, unknown>): string => Object.values(noticeWords({ code, at: 1, message: '', details: of }, i18n.t, lng)).join(' ');
  expect(say('data_restored', details.data_restored)).toMatch(/2026.*2|2.*2026/);
  expect(say('data_restored', { backupAt: null, consent: 0, setAside: null }).trim()).toBe(i18n.t('app.notice.data_restored.title'));
  expect(say('data_restored', { backupAt: null, consent: 1, setAside: null })).toContain('1 ');
  expect(say('data_reset', { what: 'settings' })).toBe(`${i18n.t('app.notice.data_reset.settings.title')} ${i18n.t('app.notice.data_reset.settings.body')}`);
  expect(say('data_reset', { what: 'everything', setAside: null })).not.toContain('{{');
});
