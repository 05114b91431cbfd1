import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { DataOverview } from '../../../../shared/data.ts';
import type { Fault } from '../../../../shared/fault.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { FaultView } from '../../../parts/FaultView.tsx';
import { TimeText } from '../../../parts/TimeText.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { sizeWords } from '../../../parts/size-words.ts';
import { useLanguage } from '../../../parts/use-language.ts';
import { act } from '../../../stores/act.ts';
import { useHealth } from '../../../stores/health.ts';
import { useShell } from '../../../stores/shell.ts';
import { CleanupList } from './CleanupList.tsx';
import css from './Data.module.css';
import { useDataProgress } from './use-data-progress.ts';

const Use = ({ overview }: { readonly overview: DataOverview }): ReactElement => {
  const { t } = useTranslation();
  const lang = useLanguage();
  const { database, apps } = overview;
  const size = (bytes: number): string => sizeWords(bytes, lang);
  return (
    <>
      <table className={css['table']}>
        <thead><tr><th scope="col">{t('data.use')}</th><th scope="col" className={css['number']}>{t('data.size')}</th></tr></thead>
        <tbody>
          {overview.parts.filter((part) => part.sizeBytes > 0).map(({ part, sizeBytes }) => <tr key={part}><td>{t(`data.part.${part}`)}</td><td className={css['number']}>{size(sizeBytes)}</td></tr>)}
        </tbody>
      </table>
      <p className={css['hint']}>{t('data.inside', { events: size(database.eventBytes), results: size(database.resultBytes), unused: size(database.unusedBytes), runs: database.runs, calls: database.calls })}</p>
      {apps.length === 0 ? null : (
        <table className={css['table']}>
          <thead><tr><th scope="col">{t('data.app')}</th><th scope="col" className={css['number']}>{t('data.package')}</th><th scope="col" className={css['number']}>{t('data.home')}</th></tr></thead>
          <tbody>
            {apps.map((app) => (
              <tr key={app.serverId}>
                <td>{app.name === null ? <><code><UntrustedText text={app.serverId} maxLength={80} /></code> <span className="g-muted">{t('data.no_server')}</span></> : <UntrustedText text={app.name} maxLength={80} />}</td>
                <td className={css['number']}>{size(app.packageBytes)}</td>
                <td className={css['number']}>{size(app.homeBytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {overview.unread.length === 0 ? null : <p className={css['hint']}>{t('data.unread', { places: overview.unread.join(t('data.comma')) })}</p>}
    </>
  );
};

/** Where the data lies, how much of the disk it takes and for what, and what of it may go. */
export const DataSection = (): ReactElement => {
  const { t } = useTranslation();
  const lang = useLanguage();
  const dataDir = useHealth((s) => (s.health.phase === 'ready' ? s.health.value.dataDir : null));
  const canOpen = useShell((s) => s.shell.phase === 'ready' && s.shell.value.can.openFolder);
  const [overview, setOverview] = useState<DataOverview | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState(false);
  const progress = useDataProgress('measure', busy);
  const measure = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    const answer = await bridge.request('data:measure', {});
    setBusy(false);
    if (answer.ok) setOverview(answer.value.overview);
    else setFault(answer.error);
  };
  const numbers = overview && { size: sizeWords(overview.totalBytes, lang), files: overview.files.toLocaleString(lang), free: sizeWords(overview.freeBytes ?? 0, lang) };
  return (
    <section className="g-panel" aria-label={t('app.section.data')}>
      <h2 className="g-heading">{t('app.section.data')}</h2>
      {dataDir === null ? null : (
        <p className={css['line']}>
          <span>{t('data.folder')}</span> <code>{dataDir}</code> <CopyButton text={dataDir} name={t('data.folder')} />
          {canOpen ? <Button onClick={() => void act('data:open', {})}>{t('data.open')}</Button> : null}
        </p>
      )}
      <p className={css['hint']}>{t('data.move')}</p>
      <div className={css['line']}>
        <Button loading={busy} onClick={() => void measure()}>{overview === null ? t('data.measure') : t('data.measure_again')}</Button>
        <span role="status" className="g-small g-muted">
          {busy ? (progress !== null && progress.done > 0 ? t('data.measuring_files', { files: progress.done.toLocaleString(lang) }) : t('data.measuring')) : numbers === null ? '' : <>{t(overview?.freeBytes === null ? 'data.measured_short' : 'data.measured', numbers)} <TimeText at={overview!.measuredAt} /></>}
        </span>
      </div>
      {fault === null ? null : <FaultView fault={fault} compact retry={() => void measure()} />}
      {overview === null ? null : <><Use overview={overview} /><CleanupList key={overview.measuredAt} items={overview.cleanup} onDone={() => void measure()} /></>}
    </section>
  );
};
