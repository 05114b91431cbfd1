import { Button, Checkbox, Modal } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CleanupItem } from '../../../../shared/data.ts';
import type { Fault } from '../../../../shared/fault.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { sizeWords } from '../../../parts/size-words.ts';
import { useLanguage } from '../../../parts/use-language.ts';
import css from './Data.module.css';

interface ConfirmProps {
  readonly picked: readonly CleanupItem[];
  readonly size: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Names what goes and what is lost by it, kind by kind. */
const ConfirmCleanup = ({ picked, size, onClose, onDone }: ConfirmProps): ReactElement => {
  const { t } = useTranslation();
  const lang = useLanguage();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const [kept, setKept] = useState<{ readonly count: number; readonly size: string; readonly fault: Fault | null } | null>(null);
  const remove = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    const answer = await bridge.request('data:cleanup', { ids: picked.map((item) => item.id) });
    setBusy(false);
    if (!answer.ok) return setFault(answer.error);
    if (answer.value.kept.length === 0) return onDone();
    setKept({ count: answer.value.kept.length, size: sizeWords(answer.value.freedBytes, lang), fault: (answer.value.kept[0]?.fault as Fault | undefined) ?? null });
  };
  return (
    <Modal opened onClose={() => { if (!busy) (kept === null ? onClose : onDone)(); }} title={t('data.cleanup.confirm', { count: picked.length })} closeButtonProps={{ 'aria-label': t('data.cleanup.cancel') }}>
      {kept === null ? (
        <>
          <ul className={css['lost']}>
            {[...new Set(picked.map((item) => item.kind))].map((kind) => <li key={kind}>{t('data.cleanup.line', { what: t(`data.cleanup.kind.${kind}`), lost: t(`data.cleanup.lost.${kind}`) })}</li>)}
          </ul>
          <p>{t('data.cleanup.no_undo')}</p>
          {busy ? <p role="status" className="g-small g-muted">{t('data.cleanup.busy')}</p> : null}
          {fault === null ? null : <FaultView fault={fault} compact />}
          <div className={css['foot']}>
            <Button color="danger" variant="outline" loading={busy} onClick={() => void remove()}>{t('data.cleanup.do')} ({size})</Button>
            <Button variant="subtle" disabled={busy} onClick={onClose}>{t('data.cleanup.cancel')}</Button>
          </div>
        </>
      ) : (
        <>
          <p>{t('data.cleanup.done', { size: kept.size })} {t('data.cleanup.kept', { count: kept.count })}</p>
          {kept.fault === null ? null : <FaultView fault={kept.fault} compact />}
        </>
      )}
    </Modal>
  );
};

/** What may be removed, picked one by one; nothing is picked before. */
export const CleanupList = ({ items, onDone }: { readonly items: readonly CleanupItem[]; readonly onDone: () => void }): ReactElement => {
  const { t } = useTranslation();
  const lang = useLanguage();
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState(false);
  const chosen = items.filter((item) => picked.has(item.id));
  const size = sizeWords(chosen.reduce((sum, item) => sum + item.sizeBytes, 0), lang);
  const toggle = (id: string): void => setPicked((before) => (before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id])));
  return (
    <>
      <h3 className={css['sub']}>{t('data.cleanup.title')}</h3>
      {items.length === 0 ? <p className={css['hint']}>{t('data.cleanup.none')}</p> : (
        <>
          <ul className={css['items']} aria-label={t('data.cleanup.pick')}>
            {items.map((item) => (
              <li key={item.id} className={css['item']}>
                <Checkbox id={`cleanup-${item.id}`} size="xs" mt={2} checked={picked.has(item.id)} onChange={() => toggle(item.id)} />
                <label htmlFor={`cleanup-${item.id}`}>{t(`data.cleanup.kind.${item.kind}`)} <code><UntrustedText text={item.place} maxLength={160} /></code></label>
                <span className={css['size']}>{sizeWords(item.sizeBytes, lang)}</span>
              </li>
            ))}
          </ul>
          <Button color="danger" variant="outline" disabled={chosen.length === 0} onClick={() => setAsking(true)}>{chosen.length === 0 ? t('data.cleanup.pickFirst') : t('data.cleanup.remove', { count: chosen.length, size })}</Button>
        </>
      )}
      {asking ? <ConfirmCleanup picked={chosen} size={size} onClose={() => setAsking(false)} onDone={() => { setAsking(false); onDone(); }} /> : null}
    </>
  );
};
