import { Button, Checkbox, Modal, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupPreview } from '../../../../shared/backup.ts';
import type { Fault } from '../../../../shared/fault.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import { exactTime } from '../../../parts/times.ts';
import { sizeWords } from '../../../parts/size-words.ts';
import { useLanguage } from '../../../parts/use-language.ts';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { BackupProgress } from './BackupProgress.tsx';
import css from './Data.module.css';

const MOST_NAMES = 12;
const listed = (names: readonly string[], comma: string): string => `${names.slice(0, MOST_NAMES).join(comma)}${names.length > MOST_NAMES ? ' …' : ''}`;

const Holds = ({ preview }: { readonly preview: BackupPreview }): ReactElement => {
  const { t } = useTranslation();
  const lang = useLanguage();
  const { servers, secretPlaces } = preview;
  const places = [...new Set(secretPlaces.map((one) => `${one.serverId} ${one.place}`))];
  return (
    <>
      <p><UntrustedText text={t('data.backup.holds', { when: exactTime(preview.createdAt, lang), version: preview.gantryVersion, platform: preview.platform, size: sizeWords(preview.sizeBytes, lang) })} maxLength={300} /></p>
      <ul className={css['facts']}>
        <li><UntrustedText text={t('data.backup.servers', { count: servers.length, names: listed(servers.map((one) => t('data.backup.named', { name: one.name, kind: t(`data.backup.kind.${one.kind}`) })), t('data.comma')) })} maxLength={900} /></li>
        <li>{t('data.backup.rows', { grants: preview.grants, rules: preview.rules, runs: preview.runs, events: preview.events })}</li>
        {preview.homes ? <li>{t('data.backup.with_homes')}</li> : null}
        <li>{preview.secrets === 'sealed' ? t('data.backup.sealed', { count: preview.secretCount }) : places.length === 0 ? t('data.backup.none_needed') : <UntrustedText text={t('data.backup.no_secrets', { places: listed(places, t('data.comma')) })} maxLength={600} />}</li>
        {preview.brokenRuns.length === 0 ? null : <li className="g-awaits">{t('data.backup.broken', { count: preview.brokenRuns.length })}</li>}
      </ul>
    </>
  );
};

/** What a backup holds, and the last step before it takes the place of what is here. */
const PreviewDialog = ({ preview, onClose }: { readonly preview: BackupPreview; readonly onClose: () => void }): ReactElement => {
  const { t } = useTranslation();
  const [passphrase, setPassphrase] = useState('');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const { previewId } = preview;
  const restore = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    const answer = await bridge.request('backup:restore', { previewId, ...(passphrase === '' ? {} : { passphrase }) });
    if (answer.ok) return location.reload();
    setBusy(false);
    setFault(answer.error);
  };
  const close = (): void => {
    if (busy) return;
    void bridge.request('backup:forget', { previewId });
    onClose();
  };
  return (
    <Modal opened onClose={close} size="lg" title={t('data.backup.restore')} closeButtonProps={{ 'aria-label': t('data.backup.cancel') }}>
      <Holds preview={preview} />
      <form onSubmit={(e) => { e.preventDefault(); void restore(); }}>
        {preview.secrets === 'sealed' ? <PasswordInput size="xs" autoComplete="off" label={t('data.backup.open_with')} description={t('data.backup.becomes')} value={passphrase} onChange={(e) => setPassphrase(e.currentTarget.value)} visibilityToggleButtonProps={{ 'aria-label': t('settings.secrets.show') }} /> : null}
        <p className={css['hint']}>{t('data.backup.after')}</p>
        {busy ? <p role="status" className="g-small g-muted">{t('data.backup.restoring')}</p> : null}
        {fault === null ? null : <FaultView fault={fault} compact />}
        <div className={css['foot']}>
          <Button type="submit" color="danger" variant="outline" loading={busy}>{t('data.backup.do_restore')}</Button>
          <Button variant="subtle" disabled={busy} onClick={close}>{t('data.backup.cancel')}</Button>
        </div>
      </form>
    </Modal>
  );
};

/** A backup is read and shown before anything can be restored. */
export const RestoreBackup = (): ReactElement => {
  const { t } = useTranslation();
  const [path, setPath] = useState('');
  const [acceptBroken, setAcceptBroken] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const [preview, setPreview] = useState<BackupPreview | null>(null);
  const broken = fault?.code === 'backup_invalid' && fault.field?.startsWith('/database/runs/') === true;
  const read = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    const answer = await bridge.request('backup:read', { path: path.trim(), acceptBroken });
    setBusy(false);
    if (answer.ok) setPreview(answer.value.preview);
    else setFault(answer.error);
  };
  return (
    <>
      <h3 className={css['sub']}>{t('data.backup.restore')}</h3>
      <form className={css['line']} onSubmit={(e) => { e.preventDefault(); if (path.trim() !== '') void read(); }}>
        <TextInput size="xs" w={420} maw="100%" aria-label={t('data.backup.restore_path')} placeholder={t('data.backup.restore_path')} spellCheck={false} value={path} onChange={(e) => setPath(e.currentTarget.value)} />
        <Button type="submit" loading={busy} disabled={path.trim() === ''}>{t('data.backup.read')}</Button>
      </form>
      {broken || acceptBroken ? <Checkbox size="xs" mb={8} checked={acceptBroken} onChange={(e) => setAcceptBroken(e.currentTarget.checked)} label={t('data.backup.accept_broken')} /> : null}
      {busy ? <BackupProgress job="read_backup" /> : null}
      {fault === null ? null : <FaultView fault={fault} compact />}
      {preview === null ? null : <PreviewDialog preview={preview} onClose={() => setPreview(null)} />}
    </>
  );
};
