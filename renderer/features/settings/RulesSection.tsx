import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import type { PolicyRule } from '../../../shared/rule.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { FlowList } from '../../parts/FlowList.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { wholeRows } from '../../parts/paged-rows.ts';
import { useRequest } from '../../stores/use-request.ts';
import { RuleForm } from './RuleForm.tsx';
import { RuleRow } from './RuleRow.tsx';
import { ruleStanding } from './rule-words.ts';
import css from './Settings.module.css';

const ROW = 62;
/** More of them scroll by themselves, so that what follows on the page stays within reach. */
const FEW = 12;

const RuleList = ({ label, rules, onRevoke }: { readonly label: string; readonly rules: readonly PolicyRule[]; readonly onRevoke: ((rule: PolicyRule) => void) | null }): ReactElement => (
  <div className={css['rules']}>
    <FlowList label={label} scroller={rules.length > FEW ? 'own' : 'page'} rows={wholeRows(rules)} idOf={(rule) => rule.id} estimate={ROW}>
      {(rule) => <RuleRow rule={rule} onRevoke={onRevoke === null ? null : () => onRevoke(rule)} />}
    </FlowList>
  </div>
);

/** The standing decisions, in words, in the order in which they win; the user's own can be revoked. */
export const RulesSection = (): ReactElement => {
  const { t } = useTranslation();
  const [version, setVersion] = useState(0);
  const [adding, setAdding] = useState(false);
  const [showOld, setShowOld] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const { state, reload } = useRequest('rules:list', {}, version);
  useEffect(() => bridge.on('rules:changed', () => setVersion((v) => v + 1)), []);
  const revoke = async (rule: PolicyRule): Promise<void> => {
    setFault(null);
    const answer = await bridge.request('rules:revoke', { ruleId: rule.id });
    if (!answer.ok) setFault(answer.error);
    setVersion((v) => v + 1);
  };
  return (
    <section className="g-panel" aria-label={t('app.section.rules')}>
      <div className={css['head']}>
        <h2 className="g-heading">{t('app.section.rules')}</h2>
        {adding ? null : <Button onClick={() => setAdding(true)}>{t('settings.rules.add')}</Button>}
      </div>
      <p className={css['hint']}>{t('settings.rules.means')}</p>
      {adding ? <RuleForm onDone={() => { setAdding(false); setVersion((v) => v + 1); }} onCancel={() => setAdding(false)} /> : null}
      {fault === null ? null : <FaultView fault={fault} compact />}
      <LoadedView of={state} what={t('settings.rules.reading')} rows={3} retry={reload}>
        {({ rules }) => {
          const now = Date.now();
          const current = rules.filter((r) => ruleStanding(r, now) === 'in_force');
          const old = rules.filter((r) => ruleStanding(r, now) !== 'in_force');
          const own = current.filter((r) => !r.builtIn);
          return (
            <>
              {own.length === 0 ? <p className="g-small g-muted">{t('settings.rules.none')}</p> : null}
              <RuleList label={t('app.section.rules')} rules={[...own, ...current.filter((r) => r.builtIn)]} onRevoke={(r) => void revoke(r)} />
              {old.length === 0 ? null : <button type="button" className={css['link']} aria-expanded={showOld} onClick={() => setShowOld(!showOld)}>{t(showOld ? 'settings.rules.hide_old' : 'settings.rules.show_old', { count: old.length })}</button>}
              {showOld ? <RuleList label={t('settings.rules.old')} rules={old} onRevoke={null} /> : null}
            </>
          );
        }}
      </LoadedView>
    </section>
  );
};
