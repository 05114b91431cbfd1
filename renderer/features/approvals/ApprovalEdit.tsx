import { Button, SegmentedControl, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Approval } from '../../../shared/approval.ts';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { schemaFit } from '../../parts/schema-fit.ts';
import { SchemaForm } from '../../parts/SchemaForm.tsx';
import { unfitWords } from '../../parts/unfit-words.ts';
import { useRequest } from '../../stores/use-request.ts';
import css from './ApprovalDialog.module.css';

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** Editing makes a new frozen call: the old approval is void, and the new one asks again. */
export const ApprovalEdit = ({ approval, onDone, onCancel }: { readonly approval: Approval; readonly onDone: (next: Approval) => void; readonly onCancel: () => void }): ReactElement => {
  const { t, i18n } = useTranslation();
  const { state } = useRequest('capabilities:get', { capabilityId: approval.capabilityId });
  const schema = state.phase === 'ready' ? state.value.capability.definition.inputSchema : undefined;
  const fits = schema !== undefined && schemaFit(schema).fits;
  const [mode, setMode] = useState<'json' | 'form'>('json');
  const [text, setText] = useState(() => pretty(approval.frozenInput));
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState(false);
  const parsed = parse(text);
  const editor = useRef<HTMLTextAreaElement>(null);
  useEffect(() => { editor.current?.focus(); }, []);
  const send = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFault(null);
    const answer = await bridge.request('approvals:edit', { approvalId: approval.id, inputText: text });
    setBusy(false);
    if (answer.ok) onDone(answer.value.approval);
    else setFault(answer.error);
  };
  return (
    <section className={css['section']} aria-label={t('approvals.edit.title')}>
      <div className={css['inputHead']}>
        <h3>{t('approvals.edit.title')}</h3>
        {fits ? <SegmentedControl size="xs" aria-label={t('approvals.edit.mode')} value={mode} onChange={(v) => setMode(v === 'form' && parsed.ok ? 'form' : 'json')} data={[{ value: 'json', label: 'JSON' }, { value: 'form', label: t('approvals.edit.form'), disabled: !parsed.ok }]} /> : null}
      </div>
      <p className={css['small']}>{t('approvals.edit.means')}</p>
      {mode === 'form' && fits && parsed.ok ? (
        <SchemaForm schema={schema} value={parsed.value} label={t('approvals.edit.title')} onChange={(value) => setText(JSON.stringify(value, null, 2))} errors={fault?.code === 'invalid_input' && fault.field !== undefined ? [{ pointer: fault.field, message: unfitWords(fault, t, (key) => i18n.exists(key)) }] : []} />
      ) : (
        <Textarea ref={editor} data-autofocus aria-label={t('approvals.edit.title')} autosize minRows={8} maxRows={18} value={text} spellCheck={false} onChange={(e) => setText(e.currentTarget.value)} error={parsed.ok ? undefined : t('approvals.edit.not_json')} styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }} />
      )}
      {fault === null ? null : <div className={css['fault']}><FaultView fault={fault} compact /></div>}
      <div className={css['editActions']}>
        <Button onClick={onCancel} aria-keyshortcuts="Escape">{t('approvals.edit.cancel')}<kbd className={css['key']}>Esc</kbd></Button>
        <Button color="accent" variant="outline" loading={busy} disabled={!parsed.ok} onClick={() => void send()}>{t('approvals.edit.freeze')}</Button>
      </div>
    </section>
  );
};

const parse = (text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } => {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
};
