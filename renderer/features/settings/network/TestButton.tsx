import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../../shared/fault.ts';
import type { ConnectionTest, TestStep } from '../../../../shared/network.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import css from './Network.module.css';

/** What one step saw, in words. Names in certificates are another's words and are shown as such by the caller. */
const stepWords = ({ step, ok, facts }: TestStep, t: TFunction): string => {
  const say = (key: string, more: Record<string, unknown> = {}): string => t(`settings.network.steps.${key}`, { ...facts, ...more });
  if (!ok && step !== 'proxy') return step === 'tls' && facts['subject'] !== undefined ? say('tls_seen') : String(facts['cause'] ?? facts['status'] ?? '');
  if (!ok && facts['status'] === undefined) return String(facts['cause'] ?? '');
  switch (step) {
    case 'route':
      if (facts['via'] !== null) return say('route.proxy');
      return facts['because'] === 'loopback' || facts['because'] === 'bypass' ? say(`route.${facts['because']}`) : say('route.direct');
    case 'dns':
    case 'connect':
      return say(step);
    case 'proxy':
      return say('status');
    case 'tls':
      return say('tls', { by: say(`trusted.${facts['trustedBy'] === 'company' ? 'company' : 'built_in'}`) });
    case 'answer':
      return say(facts['ping'] === undefined ? 'status' : facts['ping'] === true ? 'ping' : 'no_ping');
  }
};

const Steps = ({ test }: { readonly test: ConnectionTest }): ReactElement => {
  const { t } = useTranslation();
  return (
    <div className={css['seen']}>
      <p role="status" className={css['verdict']} data-ok={test.ok}><UntrustedText text={t(test.ok ? 'settings.network.steps.works' : 'settings.network.steps.fails', { target: test.target })} maxLength={300} /></p>
      <ol className={css['steps']} aria-label={t('settings.network.steps.title')}>
        {test.steps.map((step) => (
          <li key={step.step} data-ok={step.ok}>
            <span className={css['stepName']}>{t(`settings.network.steps.name.${step.step}`)}</span>
            <span className={css['stepState']}>{t(step.ok ? 'settings.network.steps.ok' : 'settings.network.steps.failed')}</span>
            <span className={css['stepWords']}><UntrustedText text={stepWords(step, t)} maxLength={300} /></span>
            <span className="g-small g-muted">{step.ms} ms</span>
          </li>
        ))}
      </ol>
      {test.fault === null ? null : <FaultView fault={test.fault as Fault} compact />}
    </div>
  );
};

/** Tries the real thing once and shows what was seen, step by step. */
export const TestButton = ({ what, name, address, onTested }: { readonly what: 'proxy' | 'certificate' | 'npm'; readonly name: string; readonly address?: string; readonly onTested: () => void }): ReactElement => {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [test, setTest] = useState<ConnectionTest | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const run = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setTest(null);
    setFault(null);
    const answer = await bridge.request('network:test', { what, ...(address === undefined || address === '' ? {} : { address }) });
    setBusy(false);
    if (answer.ok) setTest(answer.value.test);
    else setFault(answer.error);
    onTested();
  };
  return (
    <div className={css['test']}>
      <Button loading={busy} aria-label={`${t('settings.network.test')}: ${name}`} onClick={() => void run()}>{t('settings.network.test')}</Button>
      {busy ? <span role="status" className="g-small g-muted">{t('settings.network.testing')}</span> : null}
      {test === null ? null : <Steps test={test} />}
      {fault === null ? null : <FaultView fault={fault} compact />}
    </div>
  );
};
