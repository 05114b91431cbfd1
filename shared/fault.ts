import type { FaultCode } from './fault-codes.ts';

/**
 * A failure as data: it crosses processes unchanged.
 * `field` is a JSON Pointer or dotted name of the offending input; `details` never holds a secret.
 */
export interface Fault {
  readonly code: FaultCode;
  readonly message: string;
  readonly field?: string | undefined;
  readonly remedy?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export const fault = (code: FaultCode, message: string, extra: Omit<Fault, 'code' | 'message'> = {}): Fault => ({ code, message, ...extra });
