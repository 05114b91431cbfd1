import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { href } from '../../routes.ts';
import css from './TryOutForm.module.css';

interface UseInRunProps {
  readonly kind: 'resource' | 'prompt';
  readonly capabilityId: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly disabled: boolean;
}

/** Starts a run of the agent with a resource attached, or with what a prompt's server wrote; the person's own words go along. */
export const UseInRun = ({ kind, capabilityId, input, disabled }: UseInRunProps): ReactElement => {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const start = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    const prompt = words.trim() === '' ? t('tryout.in_run.default') : words;
    const answer = await bridge.request('agent:run', { prompt, attachments: [{ kind, capabilityId, ...(Object.keys(input).length === 0 ? {} : { input: { ...input } }) }] });
    setBusy(false);
    if (answer.ok) location.hash = href.run(answer.value.runId);
    else setFault(answer.error);
  };
  return (
    <section className={css['inRun']} aria-label={t(`tryout.in_run.${kind}`)}>
      <h3 className="g-heading">{t(`tryout.in_run.${kind}`)}</h3>
      <p className="g-small g-muted">{t(`tryout.in_run.${kind}_about`)}</p>
      <Textarea label={t('tryout.in_run.words')} placeholder={kind === 'prompt' ? t('tryout.in_run.default') : undefined} autosize minRows={2} maxRows={10} maxLength={100_000} value={words} onChange={(event) => setWords(event.currentTarget.value)} />
      <div className={css['actions']}>
        <Button loading={busy} disabled={disabled || (kind === 'resource' && words.trim() === '')} onClick={() => void start()}>{t('tryout.in_run.start')}</Button>
      </div>
      {fault === null ? null : <div className={css['outcome']}><FaultView fault={fault} /></div>}
    </section>
  );
};
