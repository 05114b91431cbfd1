import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import type { ServerDetail } from '../../../shared/server.ts';
import { isWholePath } from '../../../shared/whole-path.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import classes from './RootsPanel.module.css';

/** The folders that a server is told when it asks for roots: none until a person names one. They are told, and bound by nothing. */
export function RootsPanel({ server }: { readonly server: ServerDetail }) {
  const { t } = useTranslation();
  const [path, setPath] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Fault | null>(null);
  const given = path.trim();
  const unfit = given === '' ? 'empty' : !isWholePath(given) ? 'whole' : server.roots.includes(given) ? 'known' : null;
  const save = async (roots: readonly string[]): Promise<boolean> => {
    setBusy(true);
    const answer = await bridge.request('servers:update', { serverId: server.id, roots: [...roots] });
    setBusy(false);
    setFailure(answer.ok ? null : answer.error);
    return answer.ok;
  };
  const add = async (): Promise<void> => {
    setTried(true);
    if (unfit !== null || !(await save([...server.roots, given]))) return;
    setPath('');
    setTried(false);
  };
  return (
    <section className="g-panel" aria-label={t('servers.roots.title')}>
      <h2 className="g-heading">{t('servers.roots.title')}</h2>
      <p className="g-small">{t('servers.roots.about')}</p>
      <p className="g-small g-muted">{t('servers.roots.noFence')}</p>
      {server.roots.length === 0 ? (
        <p className="g-small g-muted">{t('servers.roots.none')}</p>
      ) : (
        <ul className={classes['list']} aria-label={t('servers.roots.list')}>
          {server.roots.map((root) => (
            <li key={root}>
              <code className="g-mono"><UntrustedText text={root} maxLength={300} /></code>
              <Button size="xs" disabled={busy} onClick={() => void save(server.roots.filter((one) => one !== root))} aria-label={t('servers.roots.removeOne', { path: root })}>{t('servers.roots.remove')}</Button>
            </li>
          ))}
        </ul>
      )}
      <form className={classes['add']} onSubmit={(event) => { event.preventDefault(); void add(); }}>
        <TextInput label={t('servers.roots.path')} value={path} onChange={(event) => setPath(event.currentTarget.value)} spellCheck={false} autoComplete="off" error={tried && unfit !== null ? t(`servers.roots.unfit.${unfit}`) : null} />
        <Button type="submit" loading={busy}>{t('servers.roots.add')}</Button>
      </form>
      {failure && <FaultView fault={failure} compact />}
    </section>
  );
}
