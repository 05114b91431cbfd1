import type { Fault } from '../../shared/fault.ts';
import type { FaultCode } from '../../shared/fault-codes.ts';

/** The remedy of a code where its place gave none. */
const REMEDIES: Partial<Record<FaultCode, string>> = {
  not_found: 'List the objects of this kind for the present ids.',
  conflict: 'Read the object again and act on its present state.',
  binding_changed: 'Read the capability again, look at what changed, and repeat.',
  wrong_passphrase: 'Try again; the passphrase cannot be recovered.',
  invalid_request: 'Correct the named field; the shapes of all requests are in shared/contract.',
  invalid_input: 'Correct the named place; the capability shows its schema.',
  unavailable: 'Look at the server for the cause, then connect it again.',
};

const idFieldOf = (input: unknown): string | undefined => {
  const key = typeof input === 'object' && input !== null ? Object.keys(input).find((name) => /Id$/.test(name)) : undefined;
  return key === undefined ? undefined : `/${key}`;
};

/** Characters of a refusal's sentence: more is what it repeats of the input. */
const LONGEST_MESSAGE = 4_000;
const bounded = (message: string): string => (message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE).toWellFormed()}…`);

/** Every refusal names a field where one is at fault, and a remedy, and is bounded. What the place itself said stays. */
export const completeFault = (error: Fault, input: unknown): Fault => {
  const field = error.field ?? (error.code === 'not_found' || error.code === 'conflict' || error.code === 'binding_changed' ? idFieldOf(input) : undefined);
  const remedy = error.remedy ?? REMEDIES[error.code];
  return { ...error, message: bounded(error.message), ...(field === undefined ? {} : { field }), ...(remedy === undefined ? {} : { remedy }) };
};
