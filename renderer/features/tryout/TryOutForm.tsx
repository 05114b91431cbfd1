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
import { unfitWords } from '../../parts/unfit-words.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { ArgumentForm } from './ArgumentForm.tsx';
import { givenArguments, textArguments } from '../../parts/text-arguments.ts';
import css from './TryOutForm.module.css';
import { TryOutOutcome } from './TryOutOutcome.tsx';
import { UseInRun } from './UseInRun.tsx';
import { useTryOut, type SendCall } from './use-try-out.ts';
import { WatchSwitch } from './WatchSwitch.tsx';

const faultOf = (tryOut: ReturnType<typeof useTryOut>['tryOut']): Fault | null => {
  if (tryOut.phase === 'refused') return tryOut.fault;
  return tryOut.phase === 'following' && tryOut.invocation.fault !== null ? ({ ...tryOut.invocation.fault } as Fault) : null;
};

const Form = ({ capability, send }: { readonly capability: CapabilityDetail; readonly send: SendCall | undefined }): ReactElement => {
  const { t, i18n } = useTranslation();
  const labelId = useId();
  const { kind, definition } = capability;
  const schema = capability.inputSchema;
  const fit = useMemo(() => schemaFit(schema), [schema]);
  const fields = useMemo(() => (kind === 'tool' ? null : textArguments(schema)), [kind, schema]);
  const isOne = kind === 'resource' && definition.uriTemplate === undefined;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const state = tryOutState(capability);
  const noInput = !fit.fits && fit.reason === 'no_fields';
  const [mode, setMode] = useState<'form' | 'json'>(fit.fits ? 'form' : 'json');
  const [value, setValue] = useState<unknown>(undefined);
  const [text, setText] = useState('{}');
  const { tryOut, start, stop } = useTryOut(capability.id, send);
  const running = tryOut.phase === 'sending' || (tryOut.phase === 'following' && tryOut.invocation.state !== 'completed' && tryOut.invocation.state !== 'failed');
  const fault = faultOf(tryOut);
  const placed = fault?.code === 'invalid_input' && fault.field !== undefined && mode === 'form';
  const errors = placed ? placedErrors({ field: fault.field, words: unfitWords(fault, t, (key) => i18n.exists(key)) }, missingFields(schema, value), t('tryout.required')) : [];
  const byFields = fields !== null && !isOne;
  const valid = isOne || byFields || mode === 'form' || readsAsJson(text);
  const inputText = isOne ? '{}' : byFields ? JSON.stringify(givenArguments(fields, values)) : mode === 'form' ? inputTextOf(value) : text;
  const missing = byFields ? fields.filter(({ name, required }) => required && (values[name] ?? '') === '') : [];
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
      {isOne ? <p className="g-small g-muted">{t('tryout.asks_uri')}<code className="g-mono"><UntrustedText text={definition.uri ?? capability.name} maxLength={500} /></code></p> : byFields ? null : <div className={css['head']}>
        <span id={labelId} className="g-small g-muted">{noInput ? t('tryout.no_fields') : fit.fits ? t('tryout.fields', { count: fit.fields }) : t(`tryout.misfit.${fit.reason}`)}</span>
        {fit.fits ? <SegmentedControl size="xs" aria-label={t('tryout.mode')} value={mode} onChange={change} data={[{ value: 'form', label: t('tryout.form') }, { value: 'json', label: 'JSON' }]} /> : null}
      </div>}
      {isOne ? null : byFields ? (
        fields.length === 0 ? <p className="g-small g-muted">{t('tryout.no_arguments')}</p> : <ArgumentForm capabilityId={capability.id} fields={fields} label={t('tryout.input')} values={values} disabled={running} errors={errors} onChange={(name, to) => setValues((before) => ({ ...before, [name]: to }))} />
      ) : mode === 'form' && fit.fits ? (
        <SchemaForm schema={schema} value={value} onChange={setValue} disabled={running} label={t('tryout.input')} errors={errors} />
      ) : (
        <Textarea aria-label={t('tryout.input')} aria-describedby={labelId} autosize minRows={noInput ? 2 : 6} maxRows={18} spellCheck={false} disabled={running} value={text} onChange={(e) => setText(e.currentTarget.value)} error={valid ? undefined : t('tryout.not_json')} styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }} />
      )}
      <div className={css['actions']}>
        <Button variant="filled" loading={tryOut.phase === 'sending'} disabled={running || !valid || missing.length > 0} onClick={() => void start(inputText)}>{t(kind === 'tool' ? 'tryout.run' : `tryout.run_${kind}`)}</Button>
        {running ? <Button color="danger" variant="outline" onClick={stop}>{t('tryout.stop')}</Button> : null}
        <span className="g-small g-muted">{t(capability.tier === 'read_only' && capability.admitted && capability.schemaState === 'checked' ? 'tryout.runs_at_once' : 'tryout.asks_first')}</span>
      </div>
      {tryOut.phase === 'refused' ? <div className={css['outcome']}><FaultView fault={tryOut.fault} /></div> : null}
      {tryOut.phase === 'following' ? <TryOutOutcome invocation={tryOut.invocation} events={tryOut.events} /> : null}
      {isOne ? <WatchSwitch capabilityId={capability.id} readAt={tryOut.phase === 'following' ? tryOut.invocation.startedAt : null} /> : null}
      {kind === 'tool' || send !== undefined ? null : <UseInRun kind={kind} capabilityId={capability.id} input={readsAsJson(inputText) && !isOne ? (JSON.parse(inputText) as Record<string, unknown>) : {}} disabled={!valid || missing.length > 0} />}
    </div>
  );
};

/** Tries one capability by hand: a form made from what it takes, or raw JSON where a form would not show all of it; a resource or prompt goes into a run from here, too. */
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
