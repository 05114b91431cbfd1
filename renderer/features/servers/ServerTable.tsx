import { useVirtualizer } from '@tanstack/react-virtual';
import i18n from 'i18next';
import { Fragment, memo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerSummary } from '../../../shared/server.ts';
import { useWords } from '../../i18n/use-words.ts';
import { RowSwitch } from '../../parts/RowSwitch.tsx';
import { useKeptRow } from '../../parts/use-kept-row.ts';
import { useScrollMargin } from '../../parts/use-scroll-margin.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { act } from '../../stores/act.ts';
import { CircuitTag } from './CircuitTag.tsx';
import { ServerIcon } from './ServerIcon.tsx';
import { specWords } from './server-words.ts';
import { StateWords } from './StateWords.tsx';
import classes from './ServersPage.module.css';
import { useAccess } from './use-access.tsx';
import { useRowKeys } from './use-row-keys.ts';
import { useWanted } from '../../parts/use-wanted.ts';

const ROW = 37;
/** Fewer are drawn at once, so that the browser's own search finds them; of more, those in sight. */
const FEW = 60;

/** Rows of 36 px; arrow keys go from row to row in the same column. */
export function ServerTable({ servers }: { readonly servers: readonly ServerSummary[] }) {
  const { t } = useTranslation();
  const body = useRef<HTMLTableSectionElement>(null);
  const margin = useScrollMargin(body);
  const [kept, setKept] = useState(-1);
  const virtual = useVirtualizer({ count: servers.length, enabled: servers.length > FEW, getScrollElement: () => document.getElementById('main'), estimateSize: () => ROW, overscan: 10, scrollMargin: margin, scrollPaddingStart: 40, scrollPaddingEnd: 40, rangeExtractor: useKeptRow(kept) });
  const onKeyDown = useRowKeys(servers.length, (row) => virtual.scrollToIndex(row));
  const drawn = servers.length > FEW ? virtual.getVirtualItems().map((item) => item.index) : servers.map((_, row) => row);
  return (
    <table className={classes['table']} aria-rowcount={servers.length + 1} onKeyDown={onKeyDown} onFocus={(event) => setKept(Number((event.target as Element).closest<HTMLElement>('[data-row]')?.dataset['row'] ?? -1))}>
      <colgroup>
        <col />
        <col className={classes['wide']} />
        <col className={classes['middle']} />
        <col className={classes['narrow']} />
        <col className={classes['last']} />
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          <th scope="col">{t('servers.column.server')}</th>
          <th scope="col">{t('servers.column.state')}</th>
          <th scope="col">{t('servers.column.tools')}</th>
          <th scope="col">{t('servers.column.enabled')}</th>
          <th scope="col">{t('servers.column.access')}</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {drawn.map((row, at) => {
          const server = servers[row]!;
          return (
            <Fragment key={server.id}>
              <Gap rows={row - (drawn[at - 1] ?? -1) - 1} />
              <ServerRow server={server} row={row} />
            </Fragment>
          );
        })}
        <Gap rows={servers.length - 1 - (drawn.at(-1) ?? -1)} />
      </tbody>
    </table>
  );
}

/** The room of rows that are not drawn. */
const Gap = ({ rows }: { readonly rows: number }) => (rows > 0 ? <tr aria-hidden="true" className={classes['gap']} style={{ height: rows * ROW }} /> : null);

/** Drawn anew when its own server changes, not when one of fifty others does. */
const ServerRow = memo(function ServerRow({ server, row }: { readonly server: ServerSummary; readonly row: number }) {
  const { t } = useWords();
  const setAccess = useAccess();
  const { tools, allowed, allowable } = server.agentAccess;
  // on, and not running: beside the switch stands why
  const why = server.enabled && server.status.state === 'unavailable' && i18n.exists(`code.${server.status.code}.sentence`) ? t(`code.${server.status.code}.sentence`) : null;
  const [enabled, wantEnabled] = useWanted(server.enabled);
  const [open, wantOpen] = useWanted(allowed > 0);
  const toggleEnabled = (): void => wantEnabled(!enabled, act(enabled ? 'servers:disable' : 'servers:enable', { serverId: server.id }).then((done) => done !== null));
  // one after the other: which tools a click concerns is known when the click before it is done
  const clicks = useRef<Promise<unknown>>(Promise.resolve());
  const setTools = (allow: boolean): Promise<boolean> => {
    const done = clicks.current.then(() => setToolsNow(allow));
    clicks.current = done;
    return done;
  };
  const setToolsNow = async (allow: boolean): Promise<boolean> => {
    const moved = await act('access:preview', { serverId: server.id, allowed: allow });
    return moved !== null && setAccess(moved.capabilityIds, allow);
  };
  const toggleAccess = (): void => wantOpen(!open, setTools(!open));
  return (
    <tr aria-rowindex={row + 2}>
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
        {server.circuitState !== undefined && <CircuitTag state={server.circuitState} />}
        {why !== null && <span className={classes['why']} title={why}>{why}</span>}
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
