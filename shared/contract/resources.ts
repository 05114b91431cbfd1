import { z } from 'zod';
import { CompletionSchema, ResourceStandingSchema } from '../resource.ts';
import { request } from './define.ts';

const CapabilityId = z.string().min(1).max(2048);

export const resourcesRequests = {
  'resources:get': request('read', z.object({ capabilityId: CapabilityId }), ResourceStandingSchema),
  /** Has the server tell when the resource changes, until Gantry ends. Errors: not_found, not_connected, conflict (not offered; a template names no one resource), protocol_error. */
  'resources:watch': request('write', z.object({ capabilityId: CapabilityId, watched: z.boolean() }), ResourceStandingSchema),
  /**
   * What the server would put into one field of a template or a prompt. Another question about the same field ends the one under way (cancelled). `others`: what stands
   * in the other fields. Errors: not_found, not_connected, invalid_request, secret_in_input, cancelled, timeout, protocol_error.
   */
  'resources:complete': request(
    'read',
    z.object({ capabilityId: CapabilityId, argument: z.string().min(1).max(1024), value: z.string().max(1000), others: z.record(z.string(), z.string().max(1000)).default({}) }),
    CompletionSchema,
  ),
} as const;
