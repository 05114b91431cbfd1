import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { InputOf } from '../../../shared/contract/contract.ts';
import type { Fault } from '../../../shared/fault.ts';
import type { Argument, ServerDetail } from '../../../shared/server.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { href } from '../../routes.ts';
import { useRequest } from '../../stores/use-request.ts';
import { ConfigurationForm } from './ConfigurationForm.tsx';
import { changedValues, emptyDraft, rowsOf, type Draft } from './draft.ts';
import { changedArguments, draftArguments } from './draft-args.ts';
import classes from './Form.module.css';
import { UpdateVersion } from './UpdateVersion.tsx';
import { useSecretStore } from './use-secret-store.tsx';

/** Changes what a server is started or contacted with. Read once: what is being typed is not overwritten by events. */
export function ConfigurePage({ serverId }: { readonly serverId: string }) {
  const { t } = useTranslation();
  const { state, reload } = useRequest('servers:get', { serverId });
  return (
    <LoadedView of={state} what={t('servers.loadingOne')} retry={reload} list={{ to: href.servers(), words: t('parts.gone.servers') }}>
      {({ server }) => <Configure server={server} />}
    </LoadedView>
  );
}

/** All that follows the program: saving them replaces those of the spec. */
const ownArgs = ({ spec, args }: ServerDetail): readonly Argument[] => [...((spec.kind === 'npm' || spec.kind === 'command') ? (spec.args ?? []) : []), ...args];

const draftOf = (server: ServerDetail): Draft => ({
  ...emptyDraft('npm'),
  name: server.name,
  spec: server.spec,
  ...draftArguments(ownArgs(server)),
  env: rowsOf(server.env),
  headers: rowsOf(server.headers),
  home: server.home,
  required: server.required,
  errorWords: server.errorWords,
  logLevel: server.logLevel,
});

const updateOf = (server: ServerDetail, draft: Draft): InputOf<'servers:update'> => {
  const args = changedArguments(ownArgs(server), draft);
  const { spec } = draft;
  return {
    serverId: server.id,
    ...(draft.name.trim() !== server.name && draft.name.trim() !== '' ? { name: draft.name.trim() } : {}),
    ...(args === null ? {} : { args }),
    env: changedValues(server.env, draft.env),
    headers: changedValues(server.headers, draft.headers),
    ...(spec.kind === 'http' && server.spec.kind === 'http' && spec.url !== server.spec.url ? { url: spec.url } : {}),
    ...(spec.kind === 'command' && server.spec.kind === 'command' && spec.command !== server.spec.command ? { command: spec.command } : {}),
    ...(spec.kind === 'command' && server.spec.kind === 'command' && (spec.cwd ?? '') !== (server.spec.cwd ?? '') ? { cwd: spec.cwd ?? '' } : {}),
    ...(draft.home === server.home ? {} : { home: draft.home }),
    ...(draft.required === server.required ? {} : { required: draft.required }),
    ...(draft.errorWords === server.errorWords ? {} : { errorWords: draft.errorWords }),
    ...(draft.logLevel === server.logLevel ? {} : { logLevel: draft.logLevel }),
  };
};

function Configure({ server }: { readonly server: ServerDetail }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() => draftOf(server));
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Fault | null>(null);
  const { ensureOpen, dialog } = useSecretStore();
  const save = async (): Promise<void> => {
    const update = updateOf(server, draft);
    setBusy(true);
    setFailure(null);
    const withSecret = [...Object.values(update.env ?? {}), ...Object.values(update.headers ?? {}), ...(update.args ?? [])].some((value) => value !== null && typeof value !== 'string' && 'secret' in value);
    const opened = withSecret ? await ensureOpen() : null;
    if (opened && !(opened.ok && opened.value)) {
      setBusy(false);
      return setFailure(opened.ok ? null : opened.error);
    }
    const answer = await bridge.request('servers:update', update);
    setBusy(false);
    if (!answer.ok) return setFailure(answer.error);
    notifications.show({ withBorder: true, closeButtonProps: { 'aria-label': t('servers.close') }, message: t(answer.value.launchChanged ? 'servers.configure.savedLaunch' : 'servers.configure.saved') });
    location.hash = href.server(server.id);
  };
  return (
    <>
      <h1 className="g-title">{t('servers.configure.title', { name: server.name })}</h1>
      <p className={classes['lead']}>{t('servers.configure.about')}</p>
      {server.installation?.kind === 'npm' && <UpdateVersion serverId={server.id} installation={server.installation} />}
      <ConfigurationForm draft={draft} inputs={[]} busy={busy} submitWords={t('servers.configure.save')} onChange={setDraft} onSubmit={() => void save()} cancelHref={href.server(server.id)} failure={failure && <FaultView fault={failure} />} fixedSource />
      {dialog}
    </>
  );
}
