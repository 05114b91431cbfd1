import { Button, Checkbox, PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { weakness } from '../../../../shared/backup-passphrase.ts';
import type { BackupCreated } from '../../../../shared/backup.ts';
import type { Fault } from '../../../../shared/fault.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import { sizeWords } from '../../../parts/size-words.ts';
import { useLanguage } from '../../../parts/use-language.ts';
import { act } from '../../../stores/act.ts';
import { BackupProgress } from './BackupProgress.tsx';
import css from './Data.module.css';

const Made = ({ made }: { readonly made: BackupCreated }): ReactElement => {
  const { t } = useTranslation();
  const lang = useLanguage();
  return (
    <div role="status">
      <p>{t('data.backup.made', { path: made.path, size: sizeWords(made.sizeBytes, lang), servers: made.servers, runs: made.runs, secrets: made.secretCount })}</p>
      {made.skipped === 0 ? null : <p className={css['hint']}>{t('data.backup.skipped', { count: made.skipped })}</p>}
      {made.brokenRuns.length === 0 ? null : <p className="g-awaits">{t('data.backup.broken', { count: made.brokenRuns.length })}</p>}
    </div>
  );
};

/** Where it goes, what is in it, and how its secrets are kept. */
export const MakeBackup = (): ReactElement => {
  const { t } = useTranslation();
  const [path, setPath] = useState<string | null>(null);
  const [homes, setHomes] = useState(false);
  const [secrets, setSecrets] = useState<'none' | 'sealed'>('none');
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const [made, setMade] = useState<BackupCreated | null>(null);
  const weak = weakness(passphrase);
  const sealed = secrets === 'sealed';
  const fits = path !== null && path.trim() !== '' && (!sealed || (weak === null && passphrase === again));
  const open = async (): Promise<void> => {
    setMade(null);
    const suggested = await act('backup:suggest', {});
    if (suggested) setPath(suggested.path);
  };
  const close = (): void => {
    setPath(null);
    setPassphrase('');
    setAgain('');
    setFault(null);
  };
  const make = async (): Promise<void> => {
    if (!fits) return;
    setBusy(true);
    setFault(null);
    const answer = await bridge.request('backup:create', { path: path.trim(), homes, secrets: sealed ? { kind: 'sealed', passphrase, again } : { kind: 'none' } });
    setBusy(false);
    if (!answer.ok) return setFault(answer.error);
    setMade(answer.value);
    close();
  };
  if (path === null) return <><div className={css['line']}><Button onClick={() => void open()}>{t('data.backup.make')}</Button></div>{made === null ? null : <Made made={made} />}</>;
  const toggle = { 'aria-label': t('settings.secrets.show') };
  return (
    <form className={css['form']} aria-label={t('data.backup.make')} onSubmit={(e) => { e.preventDefault(); void make(); }}>
      <TextInput size="xs" label={t('data.backup.path')} value={path} spellCheck={false} onChange={(e) => setPath(e.currentTarget.value)} />
      <Checkbox size="xs" checked={homes} onChange={(e) => setHomes(e.currentTarget.checked)} label={t('data.backup.homes')} />
      <div>
        <p className={css['hint']}>{t('data.backup.secrets')}</p>
        <SegmentedControl aria-label={t('data.backup.secrets')} value={secrets} onChange={(v) => setSecrets(v as 'none' | 'sealed')} data={[{ value: 'none', label: t('data.backup.secrets_none') }, { value: 'sealed', label: t('data.backup.secrets_sealed') }]} />
      </div>
      {sealed ? (
        <>
          <PasswordInput size="xs" autoComplete="new-password" label={t('data.backup.passphrase')} value={passphrase} onChange={(e) => setPassphrase(e.currentTarget.value)} aria-invalid={passphrase !== '' && weak !== null} error={passphrase !== '' && weak !== null ? t(`data.backup.weak.${weak}`) : undefined} visibilityToggleButtonProps={toggle} />
          <PasswordInput size="xs" autoComplete="new-password" label={t('data.backup.again')} value={again} onChange={(e) => setAgain(e.currentTarget.value)} aria-invalid={again !== '' && again !== passphrase} error={again !== '' && again !== passphrase ? t('data.backup.differ') : undefined} visibilityToggleButtonProps={toggle} />
          <p className={css['hint']}>{t('data.backup.no_way_back')}</p>
        </>
      ) : <p className={css['hint']}>{t('data.backup.secrets_none_means')}</p>}
      {busy ? <BackupProgress job="backup" /> : null}
      {fault === null ? null : <FaultView fault={fault} compact />}
      <div className={css['foot']}>
        <Button type="submit" color="accent" variant="outline" loading={busy} disabled={!fits}>{t('data.backup.do')}</Button>
        <Button variant="subtle" disabled={busy} onClick={close}>{t('data.backup.cancel')}</Button>
      </div>
    </form>
  );
};
