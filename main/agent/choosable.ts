import type { Candidate } from '../capabilities/candidate.ts';
import { HOST } from '../calls/host-tools/host-tools.ts';
import type { Choosable } from './selection/tool-selector.ts';

interface Named {
  readonly id: string;
  readonly serverId: string;
}
export type Rankable = Named & Pick<Choosable, 'definition' | 'definitionFingerprint'>;

/** Tools as they are ranked, each with its server's name: a server is asked about once, not once a tool. */
export const choosables = (tools: readonly Rankable[], serverName: (serverId: string) => string): Choosable[] => {
  const names = new Map<string, string>([[HOST, 'Gantry']]);
  return tools.map(({ id, serverId, definition, definitionFingerprint }) => {
    let serverTitle = names.get(serverId);
    if (serverTitle === undefined) names.set(serverId, (serverTitle = serverName(serverId)));
    return { id, serverId, serverTitle, definition, definitionFingerprint };
  });
};

export const rankableOf = ({ capability: { id, serverId }, definition, definitionFingerprint }: Candidate): Rankable => ({ id, serverId, definition, definitionFingerprint });
