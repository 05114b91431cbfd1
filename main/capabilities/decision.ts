import type { FunnelStage } from '../../shared/capability.ts';
import type { Scope } from '../../shared/agent-profile.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { USER } from '../../shared/principal.ts';
import type { CapabilityIndex, Entry } from './capability-index.ts';
import { outOfScope } from './scope.ts';
import type { Sources } from './sources.ts';

/** Why a principal may not use a capability now, and at which stage of the funnel it falls. */
export interface Loss {
  readonly stage: Extract<FunnelStage, 'admitted' | 'granted' | 'in_scope' | 'fresh_healthy'>;
  readonly code: 'schema_excluded' | 'not_allowed' | 'unavailable';
  readonly reason: string;
}

/**
 * The one decision, for funnel, candidates and planning alike. null: a candidate. The user's own try-out holds an implicit grant to whatever was
 * discovered, but a schema that cannot be used stays refused. `scopes` narrow it, all of them.
 */
export const decide = (entry: Entry, principal: string, index: CapabilityIndex, sources: Sources, serverReason?: string | null, scopes: readonly (Scope | null)[] = []): Loss | null => {
  const { schemaState } = entry.stored;
  if (schemaState.state === 'excluded') return { stage: 'admitted', code: 'schema_excluded', reason: `${schemaState.pointer || '/'}: ${schemaState.reason}` };
  if (principal !== USER) {
    // prompts are the person's to start (2025-11-25 and 2026-07-28, prompts: user-controlled)
    if (entry.row.kind === 'prompt') return { stage: 'admitted', code: 'not_allowed', reason: 'prompt_by_person' };
    const standing = index.standing(entry);
    if (!standing.admitted) return { stage: 'admitted', code: 'not_allowed', reason: standing.needsReview ? 'needs_review' : 'not_admitted' };
    if (!index.isGranted(entry, principal)) return { stage: 'granted', code: 'not_allowed', reason: 'not_granted' };
  }
  const outside = scopes.length === 0 ? null : outOfScope(scopes, { id: entry.row.id, serverId: entry.row.serverId, tier: index.standing(entry).tier });
  if (outside !== null) return { stage: 'in_scope', code: 'not_allowed', reason: outside };
  const reason = sources.reason(entry, serverReason);
  return reason === null ? null : { stage: 'fresh_healthy', code: 'unavailable', reason };
};

const SENTENCES: Readonly<Record<string, string>> = {
  needs_review: 'This definition has not been reviewed yet.',
  prompt_by_person: 'A prompt is started by a person, never by a model.',
  not_admitted: 'This capability is not admitted.',
  not_granted: 'This principal has not been allowed to use this capability.',
  out_of_scope: 'The scope of this run or profile does not let this capability in',
  not_connected: 'the server is not connected',
  server_removed: 'the server was removed',
  not_read_yet: 'the server has not been read since the start',
  configuration_changed: 'the configuration changed since the server was read',
  installed: 'its server is not connected',
  installing: 'its server is being installed',
  connecting: 'its server is starting',
  discovering: 'the lists of its server are being read',
  stopping: 'its server is stopping',
  circuit_open: 'its server failed several times in a row, and nothing is sent to it for now',
  circuit_half_open: 'its server failed several times in a row and is being tried once',
  disabled: 'its server is switched off',
  consent_required: 'its server awaits consent',
  quarantined: 'its server is in quarantine',
  gone: 'the server no longer offers it',
  incomplete_reading: 'it was not in the latest reading, which was incomplete',
};

/** Where the server was never connected by this host, a command's own host may have connected it and ended (run-command.ts). */
const REMEDIES: Readonly<Record<string, string>> = {
  installed: 'Start Gantry with `npm start` and connect the server there. What a gantry command connected without a running Gantry ended with that command.',
};

/** A reason is a code, or a code and a detail after a colon. */
const inWords = (reason: string): string => {
  const [code = '', detail] = reason.split(': ');
  const sentence = SENTENCES[code];
  return sentence === undefined ? reason : detail === undefined ? sentence : `${sentence} (${detail})`;
};

export const lossFault = (loss: Loss, capabilityId: string): Fault => {
  const message =
    loss.code === 'not_allowed' ? inWords(loss.reason) : loss.code === 'schema_excluded' ? `Its schema cannot be used: ${loss.reason}.` : `It cannot be reached now: ${inWords(loss.reason)}. It was not called.`;
  return fault(loss.code, message, { ...(REMEDIES[loss.reason] === undefined ? {} : { remedy: REMEDIES[loss.reason] }), details: { capabilityId, reason: loss.reason, stage: loss.stage } });
};
