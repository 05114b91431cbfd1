import type { ServerSummary } from '../../../shared/server.ts';
import { useRequest } from '../../stores/use-request.ts';
import classes from './ServerIcon.module.css';
import { initialOf } from './server-words.ts';

interface ServerIconProps {
  readonly server: Pick<ServerSummary, 'id' | 'name' | 'icon'>;
  readonly size: 'small' | 'large';
}

/** The server's picture as the host re-encoded it, else the first letter of its name. The window loads no picture from elsewhere (M08). */
export function ServerIcon({ server, size }: ServerIconProps) {
  return server.icon === undefined ? <Letter name={server.name} size={size} /> : <Picture server={server} icon={server.icon} size={size} />;
}

function Letter({ name, size }: { readonly name: string; readonly size: ServerIconProps['size'] }) {
  return (
    <span className={classes['tile']} data-size={size} aria-hidden="true">
      {initialOf(name)}
    </span>
  );
}

function Picture({ server, icon, size }: ServerIconProps & { readonly icon: string }) {
  const { state } = useRequest('servers:icon', { serverId: server.id }, icon);
  if (state.phase !== 'ready' || state.value.png === null) return <Letter name={server.name} size={size} />;
  return (
    <span className={classes['tile']} data-size={size} data-picture="true">
      <img src={`data:image/png;base64,${state.value.png}`} alt="" />
    </span>
  );
}
