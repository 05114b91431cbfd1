import { Button, Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ImportPreview, ImportServer } from '../../../shared/import.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { FoundServerView } from './FoundServerView.tsx';
import classes from './Import.module.css';
import type { Drafts } from './import-draft.ts';
import { NotBroughtList } from './NotBroughtList.tsx';

interface PickStepProps {
  readonly preview: ImportPreview;
  readonly drafts: Drafts;
  readonly onChange: (drafts: Drafts) => void;
  readonly onBack: () => void;
  readonly onNext: () => void;
}

/** Everything that was found, whole, with where; the person picks. */
export function PickStep({ preview, drafts, onChange, onBack, onNext }: PickStepProps) {
  const { t } = useTranslation();
  const { servers, sources } = preview;
  const failed = sources.filter((source) => source.state === 'failed');
  const read = sources.filter((source) => source.state === 'read');
  const picked = servers.filter((server) => drafts[server.key]?.picked === true).length;
  const able = servers.filter((server) => server.fault === null);
  const set = (server: ImportServer, change: Partial<Drafts[string]>): void => onChange({ ...drafts, [server.key]: { ...drafts[server.key]!, ...change } });
  const others = sources.flatMap((source) => source.notBrought);
  return (
    <>
      <p className={classes['lead']}>{t('import.pick.about')}</p>
      {failed.map((source) => (
        <section key={source.path} className={classes['stack']} aria-label={t('import.pick.failed', { host: t(`import.host.${source.host}`) })}>
          <p>
            {t('import.pick.failed', { host: t(`import.host.${source.host}`) })} <code><UntrustedText text={source.path ?? ''} maxLength={200} /></code>
          </p>
          {source.fault && <FaultView fault={{ ...source.fault }} compact />}
        </section>
      ))}
      {servers.length === 0 ? (
        <div className="g-panel">
          <StateView kind="empty" title={t('import.pick.none')} body={t('import.pick.noneBody', { count: sources.length })} action={<Button onClick={onBack}>{t('import.back')}</Button>} />
        </div>
      ) : (
        <>
          <p role="status" style={failed.length > 0 ? { marginTop: 16 } : undefined}>{t('import.pick.found', { count: servers.length, files: read.length })}</p>
          <Checkbox mt={failed.length > 0 ? 12 : 0} label={t('import.pick.all')} checked={able.length > 0 && picked === able.length} indeterminate={picked > 0 && picked < able.length} onChange={(event) => { const on = event.currentTarget.checked; onChange(Object.fromEntries(servers.map((server) => [server.key, { ...drafts[server.key]!, picked: on && server.fault === null }]))); }} />
          <ul className={classes['list']} style={{ marginTop: 12 }}>
            {servers.map((server) => (
              <li key={server.key} className="g-panel">
                <FoundServerView server={server} draft={drafts[server.key]!} onChange={(change) => set(server, change)} />
              </li>
            ))}
          </ul>
        </>
      )}
      {others.length > 0 && <NotBroughtList fields={others} title={t('import.pick.others', { count: others.length })} />}
      {servers.length > 0 && (
        <div className={classes['foot']}>
          <Button variant="filled" disabled={picked === 0} onClick={onNext}>
            {t('import.pick.next', { count: picked })}
          </Button>
          <Button onClick={onBack}>{t('import.back')}</Button>
        </div>
      )}
    </>
  );
}
