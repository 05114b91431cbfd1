import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import type { ShellStatus, UpdateState } from '../../../shared/shell.ts';
import type { Settings } from '../../../shared/settings.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { useHealth } from '../../stores/health.ts';
import { useSettings } from '../../stores/settings.ts';
import { hasUpdateSettings, useShell } from '../../stores/shell.ts';
import css from './Settings.module.css';
import { SettingField } from './SettingField.tsx';

const percent = ({ doneBytes, totalBytes }: Extract<UpdateState, { phase: 'downloading' }>): number => (totalBytes > 0 ? Math.floor((100 * doneBytes) / totalBytes) : 0);

const UpdateWords = ({ update }: { readonly update: UpdateState }): ReactElement | null => {
  const { t } = useTranslation();
  switch (update.phase) {
    case 'none':
      return <>{t(`settings.updates.none.${update.reason}`)}</>;
    case 'idle':
      return null;
    case 'checking':
      return <>{t('settings.updates.checking')}</>;
    case 'current':
      return <>{t('settings.updates.current')} <TimeText at={update.checkedAt} /></>;
    case 'available':
      return <>{t('settings.updates.available', { version: update.version })}</>;
    case 'downloading':
      return <>{t('settings.updates.downloading', { version: update.version, percent: percent(update) })}</>;
    case 'downloaded':
      return <>{t('settings.updates.downloaded', { version: update.version })}</>;
    case 'failed':
      return null;
  }
};

type Act = 'updates:check' | 'updates:download' | 'updates:restart';
const nextAct = (update: UpdateState): Act | null =>
  update.phase === 'none' || update.phase === 'checking' || update.phase === 'downloading' ? null : update.phase === 'available' ? 'updates:download' : update.phase === 'downloaded' ? 'updates:restart' : 'updates:check';

const Own = ({ shell, settings }: { readonly shell: ShellStatus; readonly settings: Settings }): ReactElement => {
  const { t } = useTranslation();
  const busy = useHealth((s) => s.health.phase === 'ready' && s.health.value.runningCalls + s.health.value.awaitingApprovals > 0);
  const [fault, setFault] = useState<Fault | null>(null);
  const { update } = shell;
  const next = nextAct(update);
  const waits = next === 'updates:restart' && busy;
  const act = async (name: Act): Promise<void> => {
    setFault(null);
    const answer = await bridge.request(name, {});
    if (!answer.ok) setFault(answer.error);
  };
  const save = async (on: boolean): Promise<void> => {
    setFault(null);
    const answer = await bridge.request('settings:set', { checkForUpdates: on });
    if (answer.ok) useSettings.setState({ settings: { phase: 'ready', value: answer.value.settings } });
    else setFault(answer.error);
  };
  const shown = fault ?? (update.phase === 'failed' ? (update.fault as Fault) : null);
  return (
    <>
      <SettingField name={t('settings.updates.by_itself')} hint={<>{t('settings.updates.contacts')} <code>{shell.updateFeed}</code></>}>
        <Switch checked={settings.checkForUpdates} aria-label={t('settings.updates.by_itself')} onChange={(e) => void save(e.currentTarget.checked)} />
      </SettingField>
      <SettingField name={t('settings.updates.now')} hint={waits ? t('settings.updates.waits') : t('settings.updates.never_forced')}>
        <div className={css['row']}>
          <span role="status" className="g-small g-muted"><UpdateWords update={update} /></span>
          {next === null ? null : <Button variant="outline" color="accent" disabled={waits} onClick={() => void act(next)}>{t(`settings.updates.do.${next.slice('updates:'.length)}`)}</Button>}
        </div>
      </SettingField>
      {shown === null ? null : <FaultView fault={shown} compact />}
    </>
  );
};

/** Updates by the person's own acts: look, fetch, restart. Says whom a look contacts, and why there is none where there is none. */
export const UpdatesSection = ({ settings }: { readonly settings: Settings }): ReactElement | null => {
  const { t } = useTranslation();
  const shell = useShell((s) => s.shell);
  if (shell.phase !== 'ready' || !hasUpdateSettings(shell)) return null;
  return (
    <section className="g-panel" aria-label={t('app.section.updates')}>
      <h2 className="g-heading">{t('app.section.updates')}</h2>
      {shell.value.can.update ? <Own shell={shell.value} settings={settings} /> : <p className={css['hint']}><UpdateWords update={shell.value.update} /></p>}
    </section>
  );
};
