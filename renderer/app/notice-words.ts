import type { TFunction } from 'i18next';
import type { Notice } from '../../shared/notice.ts';
import { exactTime } from '../parts/times.ts';

const text = (value: unknown): string => (Array.isArray(value) ? value.map(String).join(', ') : value === undefined || value === null ? '' : String(value));

/** The title and the sentence of a notice in the window's language, from its code and details; never the host's English. */
export const noticeWords = (notice: Notice, t: TFunction, language: string): { readonly title: string; readonly body: string } => {
  const details = notice.details ?? {};
  const of = (name: string): string => text(details[name]);
  if (notice.code === 'data_brought_back') return { title: t(`app.notice.data_brought_back.${of('kind')}`), body: `${t(`code.${of('code')}.sentence`, { defaultValue: of('code') })} ${t('app.notice.data_brought_back.body')}` };
  if (notice.code === 'data_reset') return { title: t(`app.notice.data_reset.${of('what')}.title`), body: [t(`app.notice.data_reset.${of('what')}.body`), of('setAside') && t('app.notice.data_reset.aside', { path: of('setAside') })].filter(Boolean).join(' ') };
  const title = t(`app.notice.${notice.code}.title`);
  switch (notice.code) {
    case 'store_set_aside':
      return { title, body: [t('app.notice.store_set_aside.body', { path: of('path'), reason: of('reason') }), of('lastBackup') && t('app.notice.store_set_aside.backup', { path: of('lastBackup') })].filter(Boolean).join(' ') };
    case 'setting_unreadable':
      return { title, body: t(details['known'] === false ? 'app.notice.setting_unreadable.unknown' : 'app.notice.setting_unreadable.body', { name: of('key') }) };
    case 'row_unreadable':
      return { title, body: t('app.notice.row_unreadable.body', { count: Number(details['count'] ?? 0), what: t(`app.notice.row_unreadable.of.${of('table')}`), rows: of('rows') }) };
    case 'secret_unreadable':
      return { title, body: t('app.notice.secret_unreadable.body', { place: of('place'), server: of('serverId') }) };
    case 'data_restored': {
      const { backupAt, consent } = details;
      const parts = [typeof backupAt === 'number' && t('app.notice.data_restored.from', { when: exactTime(backupAt, language) }), typeof consent === 'number' && consent > 0 && t('app.notice.data_restored.consent', { count: consent }), of('setAside') && t('app.notice.data_restored.aside', { path: of('setAside') })];
      return { title, body: parts.filter(Boolean).join(' ') };
    }
    case 'secrets_passphrase_refused':
      return { title, body: t(`code.${of('code')}.sentence`, { defaultValue: of('code') }) };
  }
};
