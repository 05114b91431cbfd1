import { Button } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityRow } from '../../../shared/capability.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { givenArguments, textArguments } from '../../parts/text-arguments.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useRequest } from '../../stores/use-request.ts';
import type { FieldsSlot } from './attached.ts';
import css from './Attach.module.css';

interface TemplateFieldsProps {
  readonly row: CapabilityRow;
  readonly fields: FieldsSlot;
  readonly onBack: () => void;
  readonly onAdd: (input: Readonly<Record<string, string>>) => void;
}

const Fields = ({ row, schema, fields, onBack, onAdd }: TemplateFieldsProps & { readonly schema: unknown }): ReactElement => {
  const { t } = useTranslation();
  const asked = useMemo(() => textArguments(schema) ?? [], [schema]);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const box = useRef<HTMLDivElement>(null);
  // the program of the fields may come later than this; the focus is left where the person has put it meanwhile
  useEffect(() => {
    const place = box.current;
    if (place === null) return undefined;
    const seen = new MutationObserver(() => look());
    const look = (): void => {
      const field = place.querySelector('input');
      if (field === null) return;
      seen.disconnect();
      if (document.activeElement?.matches('input, textarea, select, button, a') !== true) field.focus({ preventScroll: true });
    };
    seen.observe(place, { childList: true, subtree: true });
    look();
    return () => seen.disconnect();
  }, []);
  const missing = asked.some(({ name, required }) => required && (values[name] ?? '') === '');
  return (
    <div ref={box}>
      {fields({ capabilityId: row.id, fields: asked, label: t('agent.resources.fields'), values, onChange: (name, value) => setValues((before) => ({ ...before, [name]: value })) })}
      <div className={css['acts']}>
        <Button size="xs" onClick={onBack}>{t('agent.resources.back')}</Button>
        <Button size="xs" variant="filled" disabled={missing} onClick={() => onAdd(givenArguments(asked, values))}>{t('agent.resources.add')}</Button>
      </div>
    </div>
  );
};

/** The variables of a template before it goes along. */
export const TemplateFields = (props: TemplateFieldsProps): ReactElement => {
  const { t } = useTranslation();
  const { state, reload } = useRequest('capabilities:get', { capabilityId: props.row.id });
  return (
    <div className={css['template']}>
      <p className={css['templateName']}><strong><UntrustedText text={props.row.title ?? props.row.name} maxLength={80} /></strong> <code className="g-mono"><UntrustedText text={props.row.id.slice(`mcp:${props.row.serverId}:resource:`.length)} maxLength={200} /></code></p>
      <LoadedView of={state} what={t('agent.resources.reading')} rows={2} retry={reload}>{({ capability }) => <Fields {...props} schema={capability.inputSchema} />}</LoadedView>
    </div>
  );
};
