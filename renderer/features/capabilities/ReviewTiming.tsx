import { Checkbox, Select } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { callClassOf, classesOf, type CallClass } from '../../../shared/call-class.ts';
import type { CapabilityDetail } from '../../../shared/capability.ts';
import type { Idempotency } from '../../../shared/idempotency.ts';
import { mayHaveEffects, type Tier } from '../../../shared/tier.ts';
import { duration } from '../../parts/times.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useLanguage } from '../../parts/use-language.ts';
import { useSettings } from '../../stores/settings.ts';
import css from './Capabilities.module.css';

/** What the form says of time and repeats; null: it follows from the tier, or nothing is known of repeats. */
export interface TimingDraft {
  readonly callClass: CallClass | null;
  readonly idempotency: Idempotency | null;
}

/** What can be asked for with this tier: the rest of a draft is kept for when the tier is chosen back, and not sent. */
export const timingOf = (draft: TimingDraft, tier: Tier): TimingDraft => ({
  callClass: draft.callClass !== null && classesOf(tier).includes(draft.callClass) ? draft.callClass : null,
  idempotency: mayHaveEffects(tier) ? draft.idempotency : null,
});

/** Arguments that could carry a key: those that look like one first, then the others that take a text. */
const textArguments = (capability: CapabilityDetail): readonly string[] => {
  const schema = capability.definition.inputSchema;
  const properties = typeof schema === 'object' && schema !== null ? (schema as { properties?: unknown }).properties : undefined;
  const others = typeof properties === 'object' && properties !== null ? Object.entries(properties).flatMap(([name, of]) => ((of as { type?: unknown } | null)?.type === 'string' ? [name] : [])) : [];
  return [...new Set([...capability.keyFields, ...(capability.idempotency === undefined ? [] : [capability.idempotency.field]), ...others])].slice(0, 100);
};

/** How long a call may take, and which argument carries the key against repeats. */
export const ReviewTiming = ({ capability, tier, draft, onChange }: { readonly capability: CapabilityDetail; readonly tier: Tier; readonly draft: TimingDraft; readonly onChange: (draft: TimingDraft) => void }): ReactElement => {
  const { t } = useTranslation();
  const language = useLanguage();
  const settings = useSettings((s) => s.settings);
  const limits = settings.phase === 'ready' ? settings.value.callLimits : null;
  const { callClass, idempotency } = timingOf(draft, tier);
  const words = (name: CallClass): string => (limits === null ? t(`parts.call_class.${name}`) : t('capabilities.timing.choice', { name: t(`parts.call_class.${name}`), time: duration(limits[name].timeoutMs, language) }));
  const inForce = callClassOf(tier, callClass ?? undefined);
  const fields = capability.kind === 'tool' ? textArguments(capability) : [];
  return (
    <>
      <Select
        size="xs" className={css['purpose']!} label={t('capabilities.timing.class')} description={<span className="g-small">{t(`parts.call_class_why.${inForce}`)}</span>} allowDeselect={false}
        value={callClass ?? ''} onChange={(value) => onChange({ ...draft, callClass: value === '' ? null : (value as CallClass) })}
        data={[{ value: '', label: t('capabilities.timing.by_tier', { name: words(callClassOf(tier, undefined)) }) }, ...classesOf(tier).map((name) => ({ value: name, label: words(name) }))]}
      />
      {fields.length === 0 || !mayHaveEffects(tier) ? null : (
        <div className={css['key']}>
          <Select
            size="xs" className={css['purpose']!} label={t('capabilities.timing.key')} description={<span className="g-small">{t(idempotency === null ? 'capabilities.timing.key_none_why' : 'capabilities.timing.key_why')}</span>} allowDeselect={false} searchable={fields.length > 10}
            value={idempotency === null ? '' : `=${idempotency.field}`}
            onChange={(value) => onChange({ ...draft, idempotency: value === null || value === '' ? null : { field: value.slice(1), required: draft.idempotency?.required ?? true } })}
            data={[{ value: '', label: t('capabilities.timing.key_none') }, ...fields.map((field) => ({ value: `=${field}`, label: field }))]}
          />
          {idempotency === null && capability.keyFields.length > 0 ? (
            <p className="g-small g-muted">{t('capabilities.timing.key_suggested')}<code className="g-mono"><UntrustedText text={capability.keyFields[0] ?? ''} maxLength={120} /></code></p>
          ) : null}
          {idempotency === null ? null : (
            <Checkbox size="xs" label={t('capabilities.timing.key_required')} checked={idempotency.required} onChange={(e) => onChange({ ...draft, idempotency: { ...idempotency, required: e.currentTarget.checked } })} />
          )}
        </div>
      )}
    </>
  );
};
