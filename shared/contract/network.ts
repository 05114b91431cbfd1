import { z } from 'zod';
import { ConnectionTestSchema, NetworkStatusSchema } from '../network.ts';
import { ContactSchema, OutboundAddressSchema } from '../outbound.ts';
import { Empty, request } from './define.ts';

const Network = z.object({ network: NetworkStatusSchema });

export const networkRequests = {
  /** What is used now. The settings themselves (proxyMode, npmRegistry and the rest) are read and written by `settings:get` and `settings:set`. */
  'network:get': request('read', Empty, Network),
  /** Seals the password of the manual proxy, or takes it away. It goes when address or user name change. */
  'network:setPassword': request('write', z.object({ password: z.string().min(1).max(1024).nullable() }), Network),
  /** Seals the token for `npmRegistry`, or takes it away. It goes when that address changes. */
  'network:setToken': request('write', z.object({ token: z.string().min(1).max(4096).nullable() }), Network),
  /** Trusts the certificates of a PEM file besides the built-in ones: by its path, or as text. Errors: file_unreadable, certificate_unfit (details.why). */
  'network:setCertificate': request('write', z.union([z.strictObject({ path: z.string().min(1).max(4096) }), z.strictObject({ pem: z.string().min(1).max(1024 * 1024), name: z.string().max(255) })]), Network),
  'network:removeCertificate': request('write', Empty, Network),
  /** Connects once and says what was seen: `npm` asks the registry, else `address` is asked, or the registry where none is given. A failed test is an answer, not an error. */
  'network:test': request('write', z.object({ what: z.enum(['proxy', 'certificate', 'npm']), address: z.url({ protocol: /^https?$/ }).optional() }), z.object({ test: ConnectionTestSchema })),
  /** Every reason to contact anybody with the addresses it has now, and what was contacted. */
  'network:addresses': request('read', Empty, z.object({ addresses: z.array(OutboundAddressSchema), contacted: z.array(ContactSchema) })),
} as const;
