export const CAPABILITY_KINDS = ['tool', 'resource', 'prompt'] as const;
export type CapabilityKind = (typeof CAPABILITY_KINDS)[number];

/** Local identity: `mcp:<server-id>:<kind>:<exact name>`; the name may itself hold colons. */
export const capabilityId = (serverId: string, kind: CapabilityKind, name: string): string => `mcp:${serverId}:${kind}:${name}`;
export const parseCapabilityId = (id: string): { serverId: string; kind: CapabilityKind; name: string } | null => {
  const m = /^mcp:([^:]+):(tool|resource|prompt):([\s\S]+)$/.exec(id);
  return m ? { serverId: m[1]!, kind: m[2] as CapabilityKind, name: m[3]! } : null;
};
