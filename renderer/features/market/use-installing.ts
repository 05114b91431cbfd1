import { useMemo } from 'react';
import type { ServerState } from '../../../shared/server.ts';
import { useServers } from '../../stores/servers.ts';

export type Installing = Extract<ServerState, { readonly state: 'installing' }> & { readonly serverId: string };

/** What is being installed now, by the entry it is made from. */
export const useInstalling = (): ReadonlyMap<string, Installing> => {
  const servers = useServers((state) => state.servers);
  return useMemo(
    () =>
      new Map(
        servers.phase !== 'ready'
          ? []
          : servers.value.flatMap(({ id, marketEntryId, status }) => (status.state === 'installing' && marketEntryId !== undefined ? [[marketEntryId, { ...status, serverId: id }] as const] : [])),
      ),
    [servers],
  );
};
