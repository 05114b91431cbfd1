import { Button, SegmentedControl, Textarea } from '@mantine/core';
import { useId, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityDetail } from '../../../shared/capability.ts';
import type { Fault } from '../../../shared/fault.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { FunnelReason } from '../../parts/FunnelChart.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { SchemaDefect } from '../../parts/SchemaDefect.tsx';
import { schemaFit } from '../../parts/schema-fit.ts';
import { SchemaForm } from '../../parts/SchemaForm.tsx';
import { useCapabilities } from '../../stores/capabilities.ts';
import { useRequest } from '../../stores/use-request.ts';
import { inputTextOf, missingFields, placedErrors, readsAsJson, tryOutState } from './try-input.ts';
import css from './TryOutForm.module.css';
import { TryOutOutcome } from './TryOutOutcome.tsx';
import { useTryOut, type SendCall } from './use-try-out.ts';

const faultOf = (tryOut: ReturnType<typeof useTryOut>['tryOut']): Fault | null => {
  if (tryOut.phase === 'refused') return tryOut.fault;
  return tryOut.phase === 'following' && tryOut.invocation.fault !== null ? ({ ...tryOut.invocation.fault } as Fault) : null;
};

const Form = ({ capability, send }: { readonly capability: CapabilityDetail; readonly send: SendCall | undefined }): ReactElement => {
  const { t } = useTranslation();
  const labelId = useId();
  const schema = capability.definition.inputSchema;
  const fit = useMemo(() => schemaFit(schema), [schema]);
  const state = tryOutState(capability);
  const noInput = !fit.fits && fit.reason === 'no_fields';
  const [mode, setMode] = useState<'form' | 'json'>(fit.fits ? 'form' : 'json');
  const [value, setValue] = useState<unknown>(undefined);
  const [text, setText] = useState('{}');
  const { tryOut, start, stop } = useTryOut(capability.id, send);
  const running = tryOut.phase === 'sending' || (tryOut.phase === 'following' && tryOut.invocation.state !== 'completed' && tryOut.invocation.state !== 'failed');
  const fault = faultOf(tryOut);
  const placed = fault?.code === 'invalid_input' && fault.field !== undefined && mode === 'form';
  const valid = mode === 'form' || readsAsJson(text);
  if (!state.possible) {
    const detail = capability.schemaDetail.state === 'excluded' ? capability.schemaDetail : null;
    return (
      <div className={css['cannot']}>
        <p>{t(`tryout.cannot.${state.why}`)}</p>
        {state.why === 'excluded' && detail !== null ? <p className="g-small g-muted"><code className="g-mono">{detail.pointer === '' ? '/' : detail.pointer}</code> <SchemaDefect code={detail.code} reason={detail.reason} /></p> : null}
        {state.why === 'unavailable' && capability.unavailableReason !== undefined ? <p className="g-small g-muted"><FunnelReason reason={capability.unavailableReason} /></p> : null}
      </div>
    );
  }
  const change = (to: string): void => {
    if (to === 'json') setText(inputTextOf(value));
    else if (readsAsJson(text)) setValue(JSON.parse(text));
    else return;
    setMode(to === 'json' ? 'json' : 'form');
  };
  return (
    <div data-guide="try">
      <div className={css['head']}>
        <span id={labelId} className="g-small g-muted">{noInput ? t('tryout.no_fields') : fit.fits ? t('tryout.fields', { count: fit.fields }) : t(`tryout.misfit.${fit.reason}`)}</span>
        {fit.fits ? <SegmentedControl size="xs" aria-label={t('tryout.mode')} value={mode} onChange={change} data={[{ value: 'form', label: t('tryout.form') }, { value: 'json', label: 'JSON' }]} /> : null}
      </div>
      {mode === 'form' && fit.fits ? (
        <SchemaForm schema={schema} value={value} onChange={setValue} disabled={running} label={t('tryout.input')} errors={placed ? placedErrors(fault, missingFields(schema, value), t('tryout.required')) : []} />
      ) : (
        <Textarea aria-label={t('tryout.input')} aria-describedby={labelId} autosize minRows={noInput ? 2 : 6} maxRows={18} spellCheck={false} disabled={running} value={text} onChange={(e) => setText(e.currentTarget.value)} error={valid ? undefined : t('tryout.not_json')} styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }} />
      )}
      <div className={css['actions']}>
        <Button variant="filled" loading={tryOut.phase === 'sending'} disabled={running || !valid} onClick={() => void start(mode === 'form' ? inputTextOf(value) : text)}>{t('tryout.run')}</Button>
        {running ? <Button color="danger" variant="outline" onClick={stop}>{t('tryout.stop')}</Button> : null}
        <span className="g-small g-muted">{t(capability.tier === 'read_only' && capability.admitted && capability.schemaState === 'checked' ? 'tryout.runs_at_once' : 'tryout.asks_first')}</span>
      </div>
      {tryOut.phase === 'refused' ? <div className={css['outcome']}><FaultView fault={tryOut.fault} /></div> : null}
      {tryOut.phase === 'following' ? <TryOutOutcome invocation={tryOut.invocation} events={tryOut.events} /> : null}
    </div>
  );
};

/** Tries one capability by hand: a form made from its input schema, or raw JSON where a form would not show all of it. */
export const TryOutForm = ({ capabilityId, send }: { readonly capabilityId: string; /** a constant; absent: a try-out */ readonly send?: SendCall }): ReactElement => {
  const { t } = useTranslation();
  const revision = useCapabilities((s) => s.revision);
  const { state, reload } = useRequest('capabilities:get', { capabilityId }, revision);
  return (
    <LoadedView of={state} what={t('tryout.reading')} rows={3} retry={reload}>
      {(value) => <Form key={value.capability.definitionFingerprint} capability={value.capability} send={send} />}
    </LoadedView>
  );
};
