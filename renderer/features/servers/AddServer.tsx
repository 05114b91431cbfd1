import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '../../../shared/contract/contract.ts';
import type { Fault } from '../../../shared/fault.ts';
import type { MarketEntry, MarketInput } from '../../../shared/market.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { href } from '../../routes.ts';
import { AddingView } from './AddingView.tsx';
import { ConfigurationForm } from './ConfigurationForm.tsx';
import { ConsentScreen } from './ConsentScreen.tsx';
import { addInput, hasSecrets, type AddInput, type Draft } from './draft.ts';
import { FailedToAdd } from './FailedToAdd.tsx';
import classes from './Form.module.css';
import { useSecretStore } from './use-secret-store.tsx';

type Preview = OutputOf<'servers:preview'>;
type Stage =
  | { readonly at: 'configure'; readonly failure: Fault | null }
  | { readonly at: 'consent'; readonly preview: Preview; readonly input: AddInput }
  | { readonly at: 'adding'; readonly serverId: string; readonly preview: Preview; readonly input: AddInput }
  | { readonly at: 'failed'; readonly fault: Fault; readonly preview: Preview; readonly input: AddInput };

interface AddServerProps {
  readonly first: Draft;
  readonly inputs: readonly MarketInput[];
  readonly from: 'npm' | 'command' | 'http' | 'market';
  readonly entry: MarketEntry | null;
}

/** The three steps of adding. What the person wrote stays when a step fails or is gone back from. */
export function AddServer({ first, inputs, from, entry }: AddServerProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(first);
  const [stage, setStage] = useState<Stage>({ at: 'configure', failure: null });
  const [busy, setBusy] = useState(false);
  const { ensureOpen, dialog } = useSecretStore();

  const preview = async (): Promise<void> => {
    const input = addInput(draft, inputs);
    setBusy(true);
    const opened = hasSecrets(input) ? await ensureOpen() : null;
    if (opened && !(opened.ok && opened.value)) {
      setBusy(false);
      return setStage({ at: 'configure', failure: opened.ok ? null : opened.error });
    }
    const { spec, name, args, env, headers, home, marketEntryId } = input;
    const asked = { spec, ...(name && { name }), ...(args && { args }), ...(env && { env }), ...(headers && { headers }), ...(home && { home }), ...(marketEntryId !== undefined && { marketEntryId }) };
    const answer = await bridge.request('servers:preview', asked);
    setBusy(false);
    setStage(answer.ok ? { at: 'consent', preview: answer.value, input } : { at: 'configure', failure: answer.error });
  };

  const add = async (shown: Preview, input: AddInput, allowScripts: readonly string[]): Promise<void> => {
    setStage({ at: 'adding', serverId: shown.serverId, preview: shown, input });
    const answer = await bridge.request('servers:add', { ...input, serverId: shown.serverId, consent: true, ...(shown.warnings.some((one) => one.code === 'app_withdrawn') ? { acceptWithdrawn: true } : {}), ...(allowScripts.length > 0 ? { allowScripts: [...allowScripts] } : {}) });
    const stillHere = location.hash === (entry ? href.addFromMarket(entry.id) : from === 'market' ? '' : href.add(from));
    if (!answer.ok) return setStage({ at: 'failed', fault: answer.error, preview: shown, input });
    if (stillHere) location.hash = href.server(answer.value.serverId);
  };

  const cancelHref = entry ? href.marketEntry(entry.id) : href.servers();
  switch (stage.at) {
    case 'configure':
      return (
        <>
          <h1 className="g-title">{entry ? t('servers.add.entryTitle', { name: entry.name }) : t(`servers.add.${from}.title`)}</h1>
          <p className={classes['lead']}>{t(`servers.add.${from}.about`)}</p>
          <ConfigurationForm draft={draft} inputs={inputs} busy={busy} submitWords={t('servers.add.next')} onChange={setDraft} onSubmit={() => void preview()} cancelHref={cancelHref} failure={stage.failure && <FaultView fault={stage.failure} />} />
          {dialog}
        </>
      );
    case 'consent':
      return (
        <ConsentScreen
          name={stage.input.name ?? stage.preview.serverId}
          refused={entry !== null && stage.preview.warnings.some((one) => one.code === 'program_missing')}
          launch={stage.preview.launch}
          home={draft.home}
          warnings={stage.preview.warnings}
          downloads={stage.input.spec.kind === 'npm' ? stage.input.spec : null}
          onAgree={() => void add(stage.preview, stage.input, [])}
          onBack={() => setStage({ at: 'configure', failure: null })}
        />
      );
    case 'adding':
      return <AddingView serverId={stage.serverId} name={stage.input.name ?? stage.serverId} />;
    case 'failed':
      return (
        <FailedToAdd
          fault={stage.fault}
          onBack={() => setStage({ at: 'configure', failure: null })}
          onAgain={(allowScripts) => void add(stage.preview, stage.input, allowScripts)}
        />
      );
  }
}
