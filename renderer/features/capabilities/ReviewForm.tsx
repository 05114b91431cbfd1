import { Button, Popover, Radio, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityDetail } from '../../../shared/capability.ts';
import type { Fault } from '../../../shared/fault.ts';
import type { Tier } from '../../../shared/tier.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import css from './Capabilities.module.css';
import { ReviewTiming, timingOf, type TimingDraft } from './ReviewTiming.tsx';

const CHOICES: readonly Tier[] = ['read_only', 'low_write', 'high_write'];

/** The user's review of exactly this definition: what it may do, and whether it may be offered at all. */
export const ReviewForm = ({ capability }: { readonly capability: CapabilityDetail }): ReactElement => {
  const { t } = useTranslation();
  const [tier, setTier] = useState<Tier>(capability.tier === 'unknown' ? 'high_write' : capability.tier);
  const mine = capability.tierSource === 'user' ? capability.review : null;
  const [purpose, setPurpose] = useState(mine?.purpose ?? '');
  const [timing, setTiming] = useState<TimingDraft>({ callClass: capability.callClass ?? null, idempotency: capability.idempotency ?? null });
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const [done, setDone] = useState<{ readonly admit: boolean; readonly equivalentRemains: boolean } | null>(null);
  const excluded = capability.schemaState === 'excluded';
  const send = async (admit: boolean): Promise<void> => {
    setBusy(true);
    setFault(null);
    const answer = await bridge.request('capabilities:review', { capabilityId: capability.id, tier, admit, definitionFingerprint: capability.definitionFingerprint, ...timingOf(timing, tier), ...(purpose.trim() === '' ? {} : { purpose: purpose.trim() }) });
    setBusy(false);
    if (answer.ok) setDone({ admit, equivalentRemains: answer.value.equivalentRemains });
    else setFault(answer.error);
  };
  return (
    <section className={css['review']} aria-label={t('capabilities.review.title')}>
      <h2 className="g-heading">{t('capabilities.review.title')}</h2>
      <p className="g-small g-muted">{t(`capabilities.tier_source.${capability.tierSource === 'default' && capability.kind !== 'tool' ? 'nature' : capability.tierSource}`)}{mine === null ? null : <><br />{t(mine.admit ? 'capabilities.review.last_admitted' : 'capabilities.review.last_refused')}<TimeText at={mine.at} /></>}</p>
      <Radio.Group label={t('capabilities.review.tier')} value={tier} onChange={(v) => setTier(v as Tier)}>
        <div className={css['tiers']}>{CHOICES.map((choice) => <Radio key={choice} value={choice} size="xs" label={<span className={css['tierChoice']}><TierBadge tier={choice} /> <span className="g-small g-muted">{t(`parts.tier.${choice}_why`)}</span></span>} />)}</div>
      </Radio.Group>
      <ReviewTiming capability={capability} tier={tier} draft={timing} onChange={setTiming} />
      <TextInput size="xs" label={t('capabilities.review.purpose')} maxLength={500} value={purpose} onChange={(e) => setPurpose(e.currentTarget.value)} className={css['purpose']!} />
      <div className={css['reviewActs']}>
        <Button color="accent" variant="outline" disabled={busy || excluded} title={excluded ? t('capabilities.review.excluded') : undefined} onClick={() => void send(true)}>{t(capability.admitted ? 'capabilities.review.admit_again' : 'capabilities.review.admit')}</Button>
        {capability.admitted ? (
          <Popover opened={asking} onChange={setAsking} position="bottom-start" trapFocus returnFocus withRoles withinPortal={false}>
            <Popover.Target><Button disabled={busy} onClick={() => setAsking(!asking)}>{t('capabilities.review.withdraw')}</Button></Popover.Target>
            <Popover.Dropdown className={css['ask']!}>
              <p>{t('capabilities.review.withdraw_means')}</p>
              <div className={css['askActs']}>
                <Button onClick={() => setAsking(false)}>{t('capabilities.bulk.cancel')}</Button>
                <Button color="danger" variant="outline" onClick={() => { setAsking(false); void send(false); }}>{t('capabilities.review.do_withdraw')}</Button>
              </div>
            </Popover.Dropdown>
          </Popover>
        ) : <Button disabled={busy} onClick={() => void send(false)}>{t('capabilities.review.refuse')}</Button>}
        <span role="status" className="g-small g-muted">
          {done === null ? '' : t(done.admit ? 'capabilities.review.done_admitted' : 'capabilities.review.done_refused')}
          {done !== null && !done.admit && !done.equivalentRemains ? ` ${t('capabilities.review.no_equivalent')}` : ''}
        </span>
      </div>
      {fault === null ? null : <FaultView fault={fault} compact />}
    </section>
  );
};
