import { z } from 'zod';
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
  'health:ready': request('read', Empty, z.object({ ready: z.boolean() })),
  'health:status': request('read', Empty, HealthStatusSchema),
} as const;
