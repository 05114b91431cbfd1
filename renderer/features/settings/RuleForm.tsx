import { Button, CloseButton, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import { BUILT_IN_AGENT, USER } from '../../../shared/principal.ts';
import type { ArgumentCondition, RuleEffect } from '../../../shared/rule.ts';
import { TIERS } from '../../../shared/tier.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { escapeHidden } from '../../parts/hidden-characters.ts';
import { OptionsField } from '../../parts/OptionsField.tsx';
import { useHeldWhileOpen } from '../../parts/use-held-while-open.ts';
import { useServers } from '../../stores/servers.ts';
import { useLastReady } from '../../stores/use-last-ready.ts';
import { useRequest } from '../../stores/use-request.ts';
import { conditionOf, draftProblem, EMPTY_DRAFT } from './rule-words.ts';
import type { ConditionDraft, RuleDraft } from './rule-words.ts';
import css from './Settings.module.css';

const OPS: readonly ArgumentCondition['op'][] = ['equals', 'not_equals', 'starts_with', 'within_path', 'less_or_equal', 'present', 'absent'];
const DAY_MS = 86_400_000;

const ConditionRow = ({ condition, onChange, onRemove }: { readonly condition: ConditionDraft; readonly onChange: (c: ConditionDraft) => void; readonly onRemove: () => void }): ReactElement => {
  const { t } = useTranslation();
  return (
    <div className={css['conditionRow']}>
      <TextInput size="xs" aria-label={t('settings.rules.pointer')} placeholder="/path" value={condition.pointer} onChange={(e) => onChange({ ...condition, pointer: e.currentTarget.value })} />
      <Select size="xs" aria-label={t('settings.rules.operator')} allowDeselect={false} data={OPS.map((op) => ({ value: op, label: t(`settings.rules.op.${op}`) }))} value={condition.op} onChange={(op) => onChange({ ...condition, op: (op ?? 'equals') as ArgumentCondition['op'] })} />
      {condition.op === 'present' || condition.op === 'absent' ? <span /> : <TextInput size="xs" aria-label={t('settings.rules.value')} placeholder={t('settings.rules.value')} value={condition.value} onChange={(e) => onChange({ ...condition, value: e.currentTarget.value })} />}
      <Button onClick={onRemove}>{t('settings.rules.remove')}</Button>
    </div>
  );
};

const MOST_CHOICES = 50;

/** A standing decision, made here on purpose: an allowing rule names one capability, and a change of its definition voids it. */
export const RuleForm = ({ onDone, onCancel }: { readonly onDone: () => void; readonly onCancel: () => void }): ReactElement => {
  const { t } = useTranslation();
  const servers = useServers((s) => s.servers);
  // what is written to find a capability; null: nothing, and the field names the one that is chosen
  const [words, setWords] = useState<string | null>(null);
  const [draft, setDraft] = useState<RuleDraft>(EMPTY_DRAFT);
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState(false);
  // what is typed is looked for by the host, of ten thousand capabilities some are shown
  const { state: capabilities } = useRequest('capabilities:rows', { limit: MOST_CHOICES, words: (words ?? '').slice(0, 500).toWellFormed(), ...(draft.serverId === '' ? {} : { serverId: draft.serverId }) });
  const offered = useHeldWhileOpen(servers.phase === 'ready' ? servers.value.map((s) => ({ value: s.id, label: escapeHidden(s.name) })) : []);
  const change = (part: Partial<RuleDraft>): void => setDraft((was) => ({ ...was, ...part }));
  const problem = draftProblem(draft);
  const shown = useLastReady(capabilities);
  const found = shown.phase === 'ready' ? shown.value.rows.map((c) => c.id) : [];
  const tools = [...new Set(found)].map((id) => ({ id, label: escapeHidden(id) }));
  const send = async (): Promise<void> => {
    if (problem !== null || busy) return;
    setBusy(true);
    setFault(null);
    const answer = await bridge.request('rules:add', {
      effect: draft.effect,
      principal: draft.principal === '' ? null : draft.principal,
      capabilityId: draft.capabilityId === '' ? null : draft.capabilityId,
      serverId: draft.serverId === '' || draft.capabilityId !== '' ? null : draft.serverId,
      tier: draft.tier === '' || draft.capabilityId !== '' ? null : draft.tier,
      conditions: draft.conditions.map(conditionOf),
      note: draft.note.trim(),
      expiresAt: draft.days === '' ? null : Date.now() + Number(draft.days) * DAY_MS,
    });
    setBusy(false);
    if (answer.ok) onDone();
    else setFault(answer.error);
  };
  return (
    <div className={css['ruleForm']} role="group" aria-label={t('settings.rules.add')}>
      <SegmentedControl size="xs" aria-label={t('settings.rules.decides')} value={draft.effect} onChange={(v) => change({ effect: v as RuleEffect })} data={(['deny', 'ask', 'allow'] as const).map((e) => ({ value: e, label: t(`settings.rules.effect.${e}`) }))} />
      <p className={css['hint']}>{t(`settings.rules.effect_means.${draft.effect}`)}</p>
      <div className={css['ruleFields']}>
        <Select size="xs" clearable label={t('settings.rules.who')} placeholder={t('settings.rules.anyone')} data={[{ value: BUILT_IN_AGENT, label: t('parts.principal.agent_default') }, { value: USER, label: t('parts.principal.user') }]} value={draft.principal === '' ? null : draft.principal} onChange={(v) => change({ principal: v ?? '' })} />
        <Select size="xs" clearable searchable limit={MOST_CHOICES} label={t('settings.rules.server')} placeholder={t('settings.rules.any_server')} data={offered.shown} {...offered.holds} value={draft.serverId === '' ? null : draft.serverId} onChange={(v) => change({ serverId: v ?? '', capabilityId: '' })} />
        <OptionsField size="xs" label={t('settings.rules.capability')} placeholder={t('settings.rules.any_tool_short')} nothing={t('settings.rules.no_tool')} value={words ?? escapeHidden(draft.capabilityId)} options={tools} answered={capabilities.phase !== 'loading'}
          onChange={setWords} onBlur={() => setWords(null)} onTake={(capabilityId) => { setWords(null); change({ capabilityId }); }}
          rightSection={draft.capabilityId === '' ? undefined : <CloseButton size="xs" aria-label={t('settings.rules.any_tool')} onClick={() => { setWords(null); change({ capabilityId: '' }); }} />} />
        <Select size="xs" clearable label={t('settings.rules.tier')} placeholder={t('settings.rules.any_tier')} disabled={draft.capabilityId !== ''} data={TIERS.map((tier) => ({ value: tier, label: t(`parts.tier.${tier}`) }))} value={draft.tier === '' ? null : draft.tier} onChange={(v) => change({ tier: (v ?? '') as RuleDraft['tier'] })} />
      </div>
      <div role="group" aria-label={t('settings.rules.conditions')}>
        <p className={css['fieldName']}>{t('settings.rules.conditions')}</p>
        {draft.conditions.map((c, i) => <ConditionRow key={i} condition={c} onChange={(next) => change({ conditions: draft.conditions.with(i, next) })} onRemove={() => change({ conditions: draft.conditions.toSpliced(i, 1) })} />)}
        {draft.conditions.length >= 20 ? null : <Button onClick={() => change({ conditions: [...draft.conditions, { pointer: '', op: 'within_path', value: '' }] })}>{t('settings.rules.add_condition')}</Button>}
      </div>
      <div className={css['ruleFields']}>
        <TextInput size="xs" label={t('settings.rules.days')} placeholder={t('settings.rules.never')} inputMode="numeric" value={draft.days} onChange={(e) => change({ days: e.currentTarget.value.trim() })} />
        <TextInput size="xs" label={t('settings.rules.note')} maxLength={500} value={draft.note} onChange={(e) => change({ note: e.currentTarget.value })} />
      </div>
      <div className={css['row']}>
        <Button color="accent" variant="outline" loading={busy} disabled={problem !== null} onClick={() => void send()}>{t('settings.rules.save')}</Button>
        <Button onClick={onCancel}>{t('settings.secrets.cancel')}</Button>
        <span role="status" className="g-small g-muted">{problem === null ? '' : t(`settings.rules.problem.${problem}`)}</span>
      </div>
      {fault === null ? null : <FaultView fault={fault} compact />}
    </div>
  );
};
