import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerSummary } from '../../../shared/server.ts';
import { useWords } from '../../i18n/use-words.ts';
import { RowSwitch } from '../../parts/RowSwitch.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { act } from '../../stores/act.ts';
import { isAllowed, isGrantable } from './capability-filter.ts';
import { ServerIcon } from './ServerIcon.tsx';
import { specWords } from './server-words.ts';
import { StateWords } from './StateWords.tsx';
import classes from './ServersPage.module.css';
import { useAccess } from './use-access.tsx';
import { useRowKeys } from './use-row-keys.ts';
import { useWanted } from './use-wanted.ts';

/** Rows of 36 px; arrow keys go from row to row in the same column. */
export function ServerTable({ servers }: { readonly servers: readonly ServerSummary[] }) {
  const { t } = useTranslation();
  const onKeyDown = useRowKeys(servers.length);
  return (
    <table className={classes['table']} onKeyDown={onKeyDown}>
      <colgroup>
        <col />
        <col className={classes['wide']} />
        <col className={classes['middle']} />
        <col className={classes['narrow']} />
        <col className={classes['middle']} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">{t('servers.column.server')}</th>
          <th scope="col">{t('servers.column.state')}</th>
          <th scope="col">{t('servers.column.tools')}</th>
          <th scope="col">{t('servers.column.enabled')}</th>
          <th scope="col">{t('servers.column.access')}</th>
        </tr>
      </thead>
      <tbody>
        {servers.map((server, row) => (
          <ServerRow key={server.id} server={server} row={row} />
        ))}
      </tbody>
    </table>
  );
}

/** Drawn anew when its own server changes, not when one of fifty others does. */
const ServerRow = memo(function ServerRow({ server, row }: { readonly server: ServerSummary; readonly row: number }) {
  const { t } = useWords();
  const setAccess = useAccess();
  const { tools, allowed, allowable } = server.agentAccess;
  const [enabled, wantEnabled] = useWanted(server.enabled);
  const [open, wantOpen] = useWanted(allowed > 0);
  const toggleEnabled = (): void => wantEnabled(!enabled, act(enabled ? 'servers:disable' : 'servers:enable', { serverId: server.id }).then((done) => done !== null));
  const setTools = async (allow: boolean): Promise<boolean> => {
    const answer = await act('capabilities:rows', { serverId: server.id });
    if (answer === null) return false;
    return setAccess(answer.rows.filter((one) => (allow ? isGrantable(one) && !isAllowed(one) : isAllowed(one))).map((one) => one.id), allow);
  };
  const toggleAccess = (): void => wantOpen(!open, setTools(allowed === 0));
  return (
    <tr>
      <td>
        <ServerIcon server={server} size="small" />
        <a className={classes['name']} href={href.server(server.id)} data-row={row} data-cell="name">
          <UntrustedText text={server.name} />
        </a>
        <span className={classes['source']}>
          <UntrustedText text={specWords(server.spec, t)} />
        </span>
        {server.required && <span className={classes['required']}>{t('servers.required')}</span>}
      </td>
      <td>
        <StateWords server={server} />
      </td>
      <td className={classes['number']}>{server.toolCount === null ? <span className="g-muted">{t('servers.toolsUnknown')}</span> : t('servers.tools', { count: server.toolCount })}</td>
      <td>
        <RowSwitch checked={enabled} disabled={server.quarantinedAt !== null || server.spec.kind === 'unreadable'} onChange={toggleEnabled} label={t('servers.enabledOf', { name: server.name })} data-row={row} data-cell="enabled" />
      </td>
      <td>
        <div className={classes['access']}>
          <RowSwitch
            checked={open}
            disabled={allowed === 0 && allowable === 0}
            onChange={toggleAccess}
            label={t('servers.accessOf', { name: server.name })}
            data-row={row}
            data-cell="access"
          />
          <span className={`${classes['number']} g-muted`}>{tools === 0 ? t('servers.access.none') : t('servers.access.some', { count: allowed, total: tools })}</span>
        </div>
      </td>
    </tr>
  );
});
