import { z } from 'zod';
import { RouteIdSchema } from '../rendering.ts';
import { HealthStatusSchema, SecretStoreStatusSchema, SettingsSchema } from '../settings.ts';
import { Empty, request } from './define.ts';

export const appRequests = {
  'settings:get': request('read', Empty, z.object({ settings: SettingsSchema })),
  'settings:set': request('write', SettingsSchema.partial(), z.object({ settings: SettingsSchema })),
  'secrets:status': request('read', Empty, SecretStoreStatusSchema),
  /** Sets the passphrase where none is set yet, else unlocks with it. */
  'secrets:unlock': request('write', z.object({ passphrase: z.string().min(8).max(1024) }), SecretStoreStatusSchema),
  'secrets:changePassphrase': request('write', z.object({ passphrase: z.string(), newPassphrase: z.string().min(8).max(1024) }), SecretStoreStatusSchema),
  'secrets:list': request('read', Empty, z.object({ secrets: z.array(z.object({ ref: z.string(), serverId: z.string(), place: z.string(), updatedAt: z.number() })) })),
  /** `route`: the rules that tools are shown by; without it they follow from provider, model and address. */
  'models:set': request('write', z.object({ provider: z.string().min(1), baseUrl: z.url({ protocol: /^https?$/ }), model: z.string().min(1), key: z.string().optional(), route: RouteIdSchema.optional() }), Empty),
  /** The model that the agent asks; null where none is set. `routeSet`: a person chose the route. The key is not given out. */
  'models:get': request('read', Empty, z.object({ model: z.object({ provider: z.string(), baseUrl: z.string(), model: z.string(), routeId: RouteIdSchema, routeSet: z.boolean(), hasKey: z.boolean() }).nullable() })),
  'agent:run': request('write', z.object({ prompt: z.string().min(1), model: z.string().optional(), wait: z.boolean().optional() }), z.object({ runId: z.string() })),
  'health:ready': request('read', Empty, z.object({ ready: z.boolean() })),
  'health:status': request('read', Empty, HealthStatusSchema),
} as const;
