import type { CallStage, Invocation } from './call.ts';

/** Where a call ends that ends with a code, for those that were recorded as evidence. */
export const STAGE_OF_CODE: Readonly<Record<string, CallStage>> = {
  unknown_capability: 'plan', not_allowed: 'plan', binding_changed: 'plan', source_not_fresh: 'plan', schema_excluded: 'plan', not_found: 'plan',
  invalid_input: 'normalize', idempotency_key_unfit: 'normalize', input_too_complex: 'normalize', secret_in_input: 'normalize', invalid_request: 'normalize',
  denied: 'policy', stopped: 'policy', rate_limited: 'policy',
  approval_expired: 'approve', approval_void: 'approve', cancelled: 'approve',
  timeout: 'dispatch', interrupted: 'dispatch', outcome_unknown: 'dispatch', unavailable: 'dispatch', exited: 'dispatch', connection_failed: 'dispatch',
  not_connected: 'dispatch', frame_too_large: 'dispatch', auth_required: 'dispatch', sign_in_required: 'dispatch', scope_missing: 'dispatch', sign_in_unsafe: 'dispatch', store_write_failed: 'dispatch', crash_loop: 'dispatch', quarantined: 'dispatch', disabled: 'dispatch',
  tool_error: 'validate', invalid_result: 'validate', too_large: 'validate', protocol_error: 'validate',
};

/** Where a failed invocation ended. The host's stage is taken, unless it only says that evidence was written. */
export const stoppedAt = (invocation: Pick<Invocation, 'stage' | 'code'>): CallStage => {
  if (invocation.stage !== 'evidence') return invocation.stage;
  return STAGE_OF_CODE[invocation.code ?? ''] ?? 'evidence';
};
