import type { VoidCause } from '../../shared/approval.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';

/** What a model and the record are told; each window words the cause itself. */
const SENTENCES: Partial<Readonly<Record<VoidCause, string>>> = {
  rules_changed: 'A rule changed after the approval was asked for',
  definition_changed: 'The definition of the tool changed after the approval was asked for',
  binding_changed: 'The launch, the instructions or the review of the tool changed after the approval was asked for',
  access_revoked: 'The access to the tool was taken away after the approval was asked for',
  not_admitted: 'The admission of the tool was withdrawn after the approval was asked for',
  out_of_scope: 'The scope of the profile was narrowed after the approval was asked for, and leaves the tool out',
  gone: 'The server stopped offering the tool after the approval was asked for',
  configuration_changed: 'The configuration of the server changed after the approval was asked for',
  disabled: 'The server was switched off before the call was sent',
  quarantined: 'The server was put in quarantine before the call was sent',
  removed: 'The server was removed before the call was sent',
  restarted: 'Gantry ended before the approved call was sent, and the tool is not as it was',
};

/** The end of a call whose approval cannot be used any more. */
export const endedBecause = (cause: VoidCause): Fault => fault('approval_void', `${SENTENCES[cause] ?? 'What was to be approved has changed'}; nothing was sent.`, { remedy: 'Ask again.', details: { cause } });

const OF_REASON: Readonly<Record<string, VoidCause>> = { not_granted: 'access_revoked', not_admitted: 'not_admitted', needs_review: 'not_admitted', out_of_scope: 'out_of_scope', gone: 'gone', configuration_changed: 'configuration_changed', disabled: 'disabled', quarantined: 'quarantined', server_removed: 'removed' };

/** Why the registry does not let through what was asked for, as a cause. */
export const causeOf = ({ code, details }: Fault): VoidCause => {
  if (code === 'unknown_capability') return 'gone';
  if (code === 'schema_excluded') return 'definition_changed';
  const [reason = ''] = String(details?.['reason'] ?? '').split(': ');
  return OF_REASON[reason] ?? (code === 'not_allowed' ? 'access_revoked' : 'binding_changed');
};
