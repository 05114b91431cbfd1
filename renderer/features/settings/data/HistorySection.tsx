import { Button, Checkbox, Modal, NumberInput, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../../shared/fault.ts';
import type { HistoryDeleted, HistoryPreview, HistorySelect } from '../../../../shared/history.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import { sizeWords } from '../../../parts/size-words.ts';
import { dayOf } from '../../../parts/times.ts';
import { useLanguage } from '../../../parts/use-language.ts';
import { href } from '../../../routes.ts';
import { KeepDays } from './KeepDays.tsx';
import css from './Data.module.css';
import { useDataProgress } from './use-data-progress.ts';

const Kept = ({ kept }: { readonly kept: HistoryPreview['kept'] }): ReactElement => {
  const { t } = useTranslation();
  const lines = [['open', kept.open], ['records', kept.records], ['unknown', kept.outcomeUnknown]] as const;
  return <ul className={css['facts']}>{lines.filter(([, n]) => n > 0).map(([what, count]) => <li key={what}>{t(`data.history.${what}`, { count })}</li>)}</ul>;
};

const Progress = (): ReactElement => {
  const { t } = useTranslation();
  const progress = useDataProgress('delete_history', true);
  const words = progress === null || progress.total === null ? t('data.history.looking') : progress.step === 'shrink' ? t('data.history.shrinking', { percent: Math.floor((100 * progress.done) / Math.max(1, progress.total)) }) : t('data.history.deleting', { done: progress.done, total: progress.total });
  return <p role="status" className="g-small g-muted">{words}</p>;
};

/** What the selection meets, said in full, before anything can be deleted. */
const Picked = ({ select, preview, onDone }: { readonly select: HistorySelect; readonly preview: HistoryPreview; readonly onDone: (done: HistoryDeleted) => void }): ReactElement => {
  const { t } = useTranslation();
  const lang = useLanguage();
  const [unknownToo, setUnknownToo] = useState(false);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const count = preview.runs + (unknownToo ? preview.kept.outcomeUnknown : 0);
  const day = (at: number | null): string => (at === null ? '–' : dayOf(at, lang));
  const remove = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    const answer = await bridge.request('history:delete', { select, includeOutcomeUnknown: unknownToo });
    setBusy(false);
    if (!answer.ok) return setFault(answer.error);
    setAsking(false);
    onDone(answer.value);
  };
  return (
    <>
      <p>{preview.runs === 0 ? t('data.history.nothing') : t('data.history.would', { runs: preview.runs, calls: preview.calls, events: preview.events, size: sizeWords(preview.resultBytes, lang), from: day(preview.oldestAt), to: day(preview.newestAt) })}</p>
      <Kept kept={preview.kept} />
      {preview.kept.outcomeUnknown === 0 ? null : <Checkbox size="xs" my={8} checked={unknownToo} onChange={(e) => setUnknownToo(e.currentTarget.checked)} label={t('data.history.with_unknown')} />}
      {count === 0 ? null : <Button color="danger" variant="outline" onClick={() => setAsking(true)}>{t('data.history.delete')}</Button>}
      {asking ? (
        <Modal opened onClose={() => { if (!busy) setAsking(false); }} title={t('data.history.confirm', { count })} closeButtonProps={{ 'aria-label': t('data.history.cancel') }}>
          <p>{t('data.history.lost')}</p>
          {busy ? <Progress /> : null}
          {fault === null ? null : <FaultView fault={fault} compact />}
          <div className={css['foot']}>
            <Button color="danger" variant="outline" loading={busy} onClick={() => void remove()}>{t('data.history.do')}</Button>
            <Button variant="subtle" disabled={busy} onClick={() => setAsking(false)}>{t('data.history.cancel')}</Button>
          </div>
        </Modal>
      ) : null}
    </>
  );
};

/** Runs and their evidence: how long they are kept, and deleting them for good. */
export const HistorySection = (): ReactElement => {
  const { t } = useTranslation();
  const lang = useLanguage();
  const [what, setWhat] = useState<'older' | 'all'>('older');
  const [days, setDays] = useState<number | string>(90);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const [picked, setPicked] = useState<{ readonly select: HistorySelect; readonly preview: HistoryPreview } | null>(null);
  const [done, setDone] = useState<HistoryDeleted | null>(null);
  const wholeDays = typeof days === 'number' && Number.isInteger(days) && days >= 1;
  const changed = (): void => {
    setPicked(null);
    setDone(null);
    setFault(null);
  };
  const look = async (): Promise<void> => {
    changed();
    const select: HistorySelect = what === 'all' ? { all: true } : { olderThanDays: Number(days) };
    setBusy(true);
    const answer = await bridge.request('history:preview', { select });
    setBusy(false);
    if (answer.ok) setPicked({ select, preview: answer.value });
    else setFault(answer.error);
  };
  return (
    <section className="g-panel" aria-label={t('app.section.history')}>
      <h2 className="g-heading">{t('app.section.history')}</h2>
      <p className={css['hint']}>{t('data.history.means')}</p>
      <KeepDays />
      <div className={css['line']}>
        <SegmentedControl aria-label={t('data.history.what')} value={what} onChange={(v) => { setWhat(v as 'older' | 'all'); changed(); }} data={[{ value: 'older', label: t('data.history.older') }, { value: 'all', label: t('data.history.all') }]} />
        {what === 'older' ? <NumberInput size="xs" w={110} aria-label={t('data.history.older_days')} min={1} max={36_500} allowDecimal={false} suffix={t('data.history.days')} value={days} onChange={(v) => { setDays(v); changed(); }} /> : null}
        <Button loading={busy} disabled={what === 'older' && !wholeDays} onClick={() => void look()}>{t('data.history.look')}</Button>
      </div>
      {fault === null ? null : <FaultView fault={fault} compact />}
      {picked === null ? null : <Picked {...picked} onDone={(value) => { setPicked(null); setDone(value); }} />}
      <p role="status" className="g-small">{done === null ? '' : <>{t('data.history.done', { runs: done.runs, before: sizeWords(done.beforeBytes, lang), after: sizeWords(done.afterBytes, lang) })} {done.recordRunId === null ? null : <a href={href.run(done.recordRunId)}>{t('data.history.record')}</a>}</>}</p>
    </section>
  );
};
