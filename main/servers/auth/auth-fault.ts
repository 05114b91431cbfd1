import type { Fault } from '../../../shared/fault.ts';

/** A coded failure of authorization on its way through the SDK, which knows errors alone. Nothing was sent where it is thrown ahead of a request. */
export class AuthFault extends Error {
  readonly fault: Fault;
  constructor(why: Fault) {
    super(why.message);
    this.name = 'AuthFault';
    this.fault = why;
  }
}

export const authFaultOf = (error: unknown): Fault | null => {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; depth += 1) {
    if (at instanceof AuthFault) return at.fault;
    at = at.cause ?? (at as { data?: { cause?: unknown } }).data?.cause;
  }
  return null;
};
