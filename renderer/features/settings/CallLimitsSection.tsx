import { Button, NumberInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { CALL_CLASSES, DEFAULT_CALL_LIMITS, LIMIT_BOUNDS, limitOf, type CallClass, type CallLimits, type LimitName } from '../../../shared/call-class.ts';
import type { Fault } from '../../../shared/fault.ts';
import type { Settings } from '../../../shared/settings.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { useSettings } from '../../stores/settings.ts';
import css from './Settings.module.css';

const isCount = (limit: LimitName): boolean => limit === 'moreAttempts';
const inUnit = (limit: LimitName, value: number): number => (isCount(limit) ? value : value / 1000);
const LIMITS: readonly LimitName[] = ['timeoutMs', 'maxTotalMs', 'moreAttempts', 'pollEveryMs', 'followMs'];

interface CellOf {
  readonly of: CallClass;
  readonly limit: LimitName;
  readonly value: number;
  /** another number after a refusal: what was refused does not stay in the field as if it held */
  readonly refusals: number;
  readonly onSave: (value: number) => void;
}

/** One limit, in seconds or as a number; what is out of bounds goes back to what holds. */
const Cell = ({ of, limit, value, refusals, onSave }: CellOf): ReactElement => {
  const { t } = useTranslation();
  const shown = inUnit(limit, value);
  const [draft, setDraft] = useState<number | string>(shown);
  useEffect(() => setDraft(shown), [shown, refusals]);
  const { min, max } = LIMIT_BOUNDS[limit];
  const save = (): void => {
    const ms = typeof draft === 'number' ? Math.round(isCount(limit) ? draft : draft * 1000) : Number.NaN;
    if (!(ms >= min && ms <= max)) setDraft(shown);
    else if (ms !== value) onSave(ms);
  };
  return (
    <NumberInput
      size="xs" hideControls clampBehavior="none" allowNegative={false} decimalScale={isCount(limit) ? 0 : 1} min={inUnit(limit, min)} max={inUnit(limit, max)} suffix={isCount(limit) ? '' : t('settings.limits.seconds')}
      aria-label={t('settings.limits.cell', { name: t(`parts.call_class.${of}`), limit: t(`settings.limits.${limit}`) })}
      value={draft} onChange={setDraft} onBlur={save} onKeyDown={(e) => { if (e.key === 'Enter') save(); }}
    />
  );
};

const same = (a: CallLimits, b: CallLimits): boolean => CALL_CLASSES.every((name) => LIMITS.every((limit) => limitOf(a, name, limit) === limitOf(b, name, limit)));

/** How long calls of each class may take, how often a read is tried again, how far apart a job is asked about. */
export const CallLimitsSection = ({ settings }: { readonly settings: Settings }): ReactElement => {
  const { t } = useTranslation();
  const [fault, setFault] = useState<Fault | null>(null);
  const [refused, setRefused] = useState(0);
  const { callLimits } = settings;
  const save = async (next: CallLimits): Promise<void> => {
    setFault(null);
    const answer = await bridge.request('settings:set', { callLimits: next });
    if (answer.ok) useSettings.setState({ settings: { phase: 'ready', value: answer.value.settings } });
    else {
      setFault(answer.error);
      setRefused((n) => n + 1);
    }
  };
  return (
    <section className="g-panel" aria-label={t('settings.limits.title')}>
      <div className={css['head']}>
        <h2 className="g-heading">{t('settings.limits.title')}</h2>
        {same(callLimits, DEFAULT_CALL_LIMITS) ? null : <Button size="xs" onClick={() => void save(DEFAULT_CALL_LIMITS)}>{t('settings.limits.reset')}</Button>}
      </div>
      <p className={css['hint']}>{t('settings.limits.hint')}</p>
      <div className={css['limits']}>
        <table>
          <thead><tr><th scope="col">{t('settings.limits.of')}</th>{LIMITS.map((limit) => <th key={limit} scope="col" title={t(`settings.limits.${limit}_why`)}>{t(`settings.limits.${limit}`)}</th>)}</tr></thead>
          <tbody>
            {CALL_CLASSES.map((name) => (
              <tr key={name}>
                <th scope="row"><span>{t(`parts.call_class.${name}`)}</span><span className={css['hint']}>{t(`parts.call_class_why.${name}`)}</span></th>
                {LIMITS.map((limit) => {
                  const value = limitOf(callLimits, name, limit);
                  return <td key={limit}>{value === undefined ? <span className="g-muted" aria-label={t('settings.limits.none')}>–</span> : <Cell of={name} limit={limit} value={value} refusals={refused} onSave={(ms) => void save({ ...callLimits, [name]: { ...callLimits[name], [limit]: ms } })} />}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {fault === null ? null : <FaultView fault={fault} compact />}
    </section>
  );
};
