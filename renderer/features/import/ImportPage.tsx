import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import type { Fault } from '../../../shared/fault.ts';
import type { ImportPreview, ImportResult, ImportServer } from '../../../shared/import.ts';
import type { Result } from '../../../shared/result.ts';
import { bridge } from '../../bridge/bridge.ts';
import { DecideStep } from './DecideStep.tsx';
import { DoneStep } from './DoneStep.tsx';
import classes from './Import.module.css';
import { draftsOf, pickOf, sealsAnything, type Drafts } from './import-draft.ts';
import { PickStep } from './PickStep.tsx';
import { SourceStep, type Source } from './SourceStep.tsx';

type Stage = 'source' | 'pick' | 'decide' | 'done';
const STAGES: readonly Stage[] = ['source', 'pick', 'decide', 'done'];

interface ImportPageProps {
  /** a text that was opened with the page, as by a link: it is read and shown, nothing more */
  readonly text: string | null;
  /** resolves to true once a secret can be kept */
  readonly ensureSecretStore: () => Promise<Result<boolean, Fault>>;
}

/** From where, what would come, what has to be decided, done. Nothing runs on any of these steps. */
export function ImportPage({ text, ensureSecretStore }: ImportPageProps) {
  const { t } = useTranslation();
  const [stage, setStage] = useState<Stage>('source');
  const [typed, setTyped] = useState(text ?? '');
  const [busy, setBusy] = useState<Source | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [preview, setPreview] = useState<ImportPreview | null>(null);
  const [drafts, setDrafts] = useState<Drafts>({});
  const [results, setResults] = useState<readonly ImportResult[]>([]);
  const [waiting, setWaiting] = useState<readonly string[]>([]);
  const previewId = useRef<string | null>(null);

  const forget = (): void => {
    if (previewId.current !== null) void bridge.request('import:forget', { previewId: previewId.current });
    previewId.current = null;
  };
  useEffect(() => forget, []);

  const read = async (source: Source, what: { readonly text: string; readonly name?: string } | null): Promise<void> => {
    setBusy(source);
    setFault(null);
    const answer = what === null ? await bridge.request('import:scan', {}) : await bridge.request('import:read', { text: what.text, ...(what.name === undefined ? {} : { name: what.name }) });
    setBusy(null);
    if (!answer.ok) return setFault(answer.error);
    forget();
    previewId.current = answer.value.previewId;
    setPreview(answer.value);
    setDrafts(draftsOf(answer.value.servers));
    setStage('pick');
  };

  const opened = useRef(false);
  useEffect(() => {
    if (text === null || opened.current) return;
    opened.current = true;
    void read('text', { text });
  });

  const picked = (preview?.servers ?? []).filter((server) => drafts[server.key]?.picked === true);

  /** One after another, so that each result is seen as it comes. */
  const bring = async (servers: readonly ImportServer[]): Promise<void> => {
    if (preview === null) return;
    if (servers.some((server) => sealsAnything(server, drafts[server.key]!))) {
      const open = await ensureSecretStore();
      if (!open.ok) return setFault(open.error);
      if (!open.value) return;
    }
    setFault(null);
    setStage('done');
    const keys = new Set(servers.map((server) => server.key));
    setResults((before) => before.filter((one) => !keys.has(one.key)));
    setWaiting(servers.map((server) => server.key));
    for (const server of servers) {
      const answer = await bridge.request('import:apply', { previewId: preview.previewId, servers: [pickOf(server, drafts[server.key]!)] });
      if (!answer.ok && answer.error.code === 'host_not_running') {
        // nothing more is decided here: what was brought in already is told when Gantry is back
        setWaiting([]);
        setFault(answer.error);
        return setStage('decide');
      }
      const result: ImportResult = answer.ok ? answer.value.results[0]! : { key: server.key, name: server.name, outcome: 'failed', serverId: null, replaced: null, fault: answer.error };
      setResults((before) => [...before, result]);
      setWaiting((before) => before.filter((key) => key !== server.key));
    }
  };

  const steps: Readonly<Record<Stage, ReactNode>> = {
    source: <SourceStep typed={typed} busy={busy} fault={fault} onType={setTyped} onRead={(source, what) => void read(source, what)} />,
    pick: preview && <PickStep preview={preview} drafts={drafts} onChange={setDrafts} onBack={() => setStage('source')} onNext={() => setStage('decide')} />,
    decide: <DecideStep servers={picked} drafts={drafts} fault={fault} onChange={setDrafts} onBack={() => setStage('pick')} onBring={() => void bring(picked)} />,
    done: <DoneStep servers={picked} results={results} waiting={waiting} onBack={() => setStage('decide')} onMore={() => { setResults([]); setTyped(''); setStage('source'); }} />,
  };
  return (
    <>
      <h1 className="g-title">{t('import.title')}</h1>
      <ol className={classes['steps']} aria-label={t('import.stepsLabel')}>
        {STAGES.map((one, at) => (
          <li key={one} {...(one === stage ? { 'aria-current': 'step' as const } : {})}>
            {at + 1}. {t(`import.step.${one}`)}
          </li>
        ))}
      </ol>
      {steps[stage]}
    </>
  );
}
