import { FAULT_CODES, type FaultCode } from '../../shared/fault-codes.ts';

/** As a fault is found in an outcome, an isolation or a row. */
interface SourceFault {
  readonly code: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Of codes: what a person set or agrees to stands apart from what failed. */
const SENTENCES: Partial<Readonly<Record<FaultCode, string>>> = {
  connection_failed: 'It could not be reached, or its connection broke.',
  not_connected: 'It is not connected.',
  exited: 'Its process ended by itself.',
  crash_loop: 'Its process ended again and again, and it was left stopped.',
  timeout: 'It did not answer in time.',
  start_timeout: 'It did not answer the handshake in time.',
  endpoint_error: 'It answers, but has trouble or asks for fewer requests.',
  not_mcp: 'What answers in its place does not speak the protocol.',
  protocol_error: 'It broke the protocol.',
  command_not_found: 'Its program could not be started.',
  command_not_permitted: 'Its program could not be started.',
  program_missing: 'Its program could not be started.',
  auth_required: 'It wants a sign-in or a key, which only a person can give.',
  sign_in_required: 'It wants a sign-in, which only a person can do.',
  consent_required: 'A person has to agree to its start.',
  disabled: 'A person switched it off.',
  quarantined: 'A person put it in quarantine.',
  source_not_fresh: 'Its list of tools could not be read anew in time.',
  protocol_version: 'It speaks no revision of the protocol that Gantry speaks.',
  frame_too_large: 'It sent a message over the limit and was stopped.',
  scope_missing: 'Its sign-in lacks rights, which only a person can grant.',
  sign_in_unsafe: 'Its sign-in is not safe; a person has to look at it.',
  sign_in_failed: 'Its sign-in failed; a person has to look at it.',
  client_id_required: 'Its sign-in wants a registration, which only a person can make.',
  address_refused: 'Where it is may not be reached from here; a person has to look at it.',
  dangerous_environment: 'Its configuration is refused; a person has to look at it.',
};

const SYSTEM_CODE = /^[A-Z][A-Z0-9_]{1,40}$/;
const BACK = ' It is reachable again, but stays out of this run, so that nothing half done is taken up on another connection.';

/** What became of one call that was sent: told in the words of the line, which name no place. */
const OF_ONE_CALL: ReadonlySet<string> = new Set(['timeout', 'protocol_error', 'interrupted', 'outcome_unknown']);

/** Codes whose sentence is made where a source is started, reached or asked. */
const isOfSource = (code: string): boolean => code in FAULT_CODES && (FAULT_CODES[code as FaultCode].layer === 'transport' || code in SENTENCES) && !OF_ONE_CALL.has(code);

/** How a source failed, in codes and figures alone. */
export const failureWords = ({ code, details = {} }: SourceFault): string => {
  const inner = code === 'unavailable' && typeof details['code'] === 'string' ? details['code'] : code;
  const system = [details['cause'], details['systemCode']].find((one) => typeof one === 'string' && SYSTEM_CODE.test(one));
  const marks = [inner, ...(system === undefined ? [] : [system]), ...(typeof details['exitCode'] === 'number' ? [`exit code ${details['exitCode']}`] : []), ...(typeof details['status'] === 'number' ? [`HTTP ${details['status']}`] : [])];
  return `${(SENTENCES[inner as FaultCode] ?? 'It failed.').slice(0, -1)} (${marks.join(', ')}).`;
};

/**
 * What a model is told of a source that cannot be used: the sentence of its fault is for a person, and may hold an address, a command, a path or a name of the
 * configuration (AC07). Null where the fault is not of that kind.
 */
export const sourceWords = ({ code, details = {} }: SourceFault): string | null => {
  // what the registry says is made of codes already
  if (!isOfSource(code) || (code === 'unavailable' && typeof details['reason'] === 'string' && details['code'] === undefined)) return null;
  const began = details['isolated'] === true ? 'This source failed in this run and is not used in it again.' : 'The source cannot be used now.';
  const confirmed = details['confirmed'] === true && details['isolated'] !== true ? ' The connection could not be recovered.' : '';
  return `${began} ${failureWords({ code, details })}${confirmed}${'backSince' in details ? BACK : ''}`;
};

export const SOURCE_REMEDY = 'Go on without it or with another source, or say that it is needed.';
