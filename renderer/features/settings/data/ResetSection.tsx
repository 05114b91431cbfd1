import { Button, Modal, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { RESET_WORD, RESET_WORDS } from '../../../../shared/reset-word.ts';
import type { Fault } from '../../../../shared/fault.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import { useLanguage } from '../../../parts/use-language.ts';
import { SettingField } from '../SettingField.tsx';
import css from './Data.module.css';

type What = 'settings' | 'everything';
type Database = 'set_aside' | 'remove';

/** Says what goes, and goes on only with the word typed. */
const ResetDialog = ({ what, onClose }: { readonly what: What; readonly onClose: () => void }): ReactElement => {
  const { t } = useTranslation();
  const lang = useLanguage();
  const [database, setDatabase] = useState<Database>('set_aside');
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const confirm = RESET_WORDS.find((word) => word === typed.trim());
  const reset = async (): Promise<void> => {
    if (confirm === undefined) return;
    setBusy(true);
    setFault(null);
    const answer = await bridge.request('data:reset', what === 'settings' ? { what, confirm } : { what, database, confirm });
    if (answer.ok) {
      // what this window remembers by itself goes too
      localStorage.clear();
      return what === 'settings' ? onClose() : location.reload();
    }
    setBusy(false);
    setFault(answer.error);
  };
  return (
    <Modal opened onClose={() => { if (!busy) onClose(); }} title={t(`data.reset.title_${what}`)} closeButtonProps={{ 'aria-label': t('data.reset.cancel') }}>
      <form className={css['form']} onSubmit={(e) => { e.preventDefault(); void reset(); }}>
        <p>{t(`data.reset.${what}_means`)}</p>
        {what === 'settings' ? null : (
          <>
            <p className={css['hint']}>{t('data.reset.calls')}</p>
            <div>
              <p className={css['hint']}>{t('data.reset.database')}</p>
              <SegmentedControl fullWidth aria-label={t('data.reset.database')} value={database} onChange={(v) => setDatabase(v as Database)} data={(['set_aside', 'remove'] as const).map((value) => ({ value, label: t(`data.reset.${value}`) }))} />
              <p className={css['hint']}>{t(`data.reset.${database}_means`)}</p>
            </div>
          </>
        )}
        <TextInput data-autofocus autoComplete="off" spellCheck={false} label={t('data.reset.type', { word: lang.startsWith('zh') ? RESET_WORD.zh : RESET_WORD.en })} value={typed} onChange={(e) => setTyped(e.currentTarget.value)} />
        {busy ? <p role="status" className="g-small g-muted">{t('data.reset.busy')}</p> : null}
        {fault === null ? null : <FaultView fault={fault} compact />}
        <div className={css['foot']}>
          <Button type="submit" color="danger" variant="outline" loading={busy} disabled={confirm === undefined}>{t('data.reset.do')}</Button>
          <Button variant="subtle" disabled={busy} onClick={onClose}>{t('data.reset.cancel')}</Button>
        </div>
      </form>
    </Modal>
  );
};

/** Settings alone, or everything. */
export const ResetSection = (): ReactElement => {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<What | null>(null);
  return (
    <section className="g-panel" aria-label={t('app.section.reset')}>
      <h2 className="g-heading">{t('app.section.reset')}</h2>
      {(['settings', 'everything'] as const).map((what) => (
        <SettingField key={what} name={t(`data.reset.${what}`)} hint={t(`data.reset.${what}_means`)}>
          <Button color="danger" variant="outline" onClick={() => setAsking(what)} aria-label={`${t('data.reset.ask')} ${t(`data.reset.${what}`)}`}>{t('data.reset.ask')}</Button>
        </SettingField>
      ))}
      {asking === null ? null : <ResetDialog what={asking} onClose={() => setAsking(null)} />}
    </section>
  );
};
