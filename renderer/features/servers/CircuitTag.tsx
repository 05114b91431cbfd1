import { useTranslation } from 'react-i18next';
import type { ServerSummary } from '../../../shared/server.ts';
import classes from './ServersPage.module.css';

/** In a row: nothing is sent to this server for now, or it is tried once. Its page says why and until when. */
export function CircuitTag({ state }: { readonly state: NonNullable<ServerSummary['circuitState']> }) {
  const { t } = useTranslation();
  return (
    <span className={classes['tag']} data-circuit={state} title={t(`servers.circuitTag.${state}Title`)}>
      {t(`servers.circuitTag.${state}`)}
    </span>
  );
}
