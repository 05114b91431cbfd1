import { useMemo } from 'react';
import type { ServerDetail } from '../../../shared/server.ts';
import { useCapabilities } from '../../stores/capabilities.ts';
import type { Mirror } from '../../stores/mirror.ts';
import { useServers } from '../../stores/servers.ts';
import { useRequest } from '../../stores/use-request.ts';

/** One server whole, read again whenever the host says that it or its capabilities changed. */
export const useServer = (serverId: string): { readonly server: Mirror<ServerDetail>; readonly reload: () => void } => {
  const servers = useServers((state) => state.servers);
  const revision = useCapabilities((state) => state.revision);
  const summary = servers.phase === 'ready' ? (servers.value.find((one) => one.id === serverId) ?? null) : null;
  const version = useMemo(() => ({ summary, revision }), [summary, revision]);
  const { state, reload } = useRequest('servers:get', { serverId }, version);
  const server = useMemo((): Mirror<ServerDetail> => (state.phase === 'ready' ? { phase: 'ready', value: state.value.server } : state), [state]);
  return { server, reload };
};
