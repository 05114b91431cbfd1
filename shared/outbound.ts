import { z } from 'zod';

/**
 * Every reason for which Gantry may contact an address. The one module that makes connections takes a purpose from this table and records it, the settings page
 * and docs/network.md list it: what is not here cannot be asked for.
 */
export const OUTBOUND = {
  npm: { address: 'registry', when: 'install' },
  remote_server: { address: 'servers', when: 'connected' },
  sign_in: { address: 'named_by_server', when: 'sign_in' },
  server_icon: { address: 'named_by_server', when: 'ready' },
  model: { address: 'model', when: 'agent' },
  embeddings: { address: 'embeddings', when: 'ranking' },
  update: { address: 'update_feed', when: 'update' },
  connection_test: { address: 'typed', when: 'test' },
} as const satisfies Readonly<Record<string, { readonly address: string; readonly when: string }>>;

export type OutboundPurpose = keyof typeof OUTBOUND;
export const OUTBOUND_PURPOSES = Object.keys(OUTBOUND) as OutboundPurpose[];
export const OutboundPurposeSchema = z.enum(OUTBOUND_PURPOSES as [OutboundPurpose, ...OutboundPurpose[]]);

/**
 * An origin that was contacted; kept over restarts, the last 500, and 100 of one server. `via`: the proxy, without name and password. `serverId`: the server it was for, null where it was for Gantry itself.
 * `address`: that was dialled last, null where none was reached or a proxy looks the name up. Times in ms since epoch.
 */
export const ContactSchema = z.object({ purpose: OutboundPurposeSchema, host: z.string(), port: z.number(), via: z.string().nullable(), serverId: z.string().nullable(), address: z.string().nullable(), count: z.number(), lastAt: z.number() });
export type Contact = z.infer<typeof ContactSchema>;

/** One purpose with the addresses it has now; an empty list where there is none yet. */
export const OutboundAddressSchema = z.object({ purpose: OutboundPurposeSchema, addresses: z.array(z.string()) });
export type OutboundAddress = z.infer<typeof OutboundAddressSchema>;
