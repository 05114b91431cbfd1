import type { Fault } from '../../shared/fault.ts';

/** Codes of a NetworkError, and what each means. They are strings on the error, so that they survive libraries that copy errors. */
export type NetworkErrorCode = 'PROXY_UNREACHABLE' | 'PROXY_SIGN_IN' | 'PROXY_REFUSED' | 'NETWORK_SETTING' | 'CONNECT_TIMEOUT';

/** Why a connection was not made. Nothing was sent to the address it was for. */
export class NetworkError extends Error {
  readonly code: NetworkErrorCode;
  /** of the proxy, without name and password */
  readonly proxy: string | null;
  /** the proxy's answer to CONNECT */
  readonly status: number | null;
  /** the system's code where the proxy itself was not reached */
  readonly systemCode: string | null;
  readonly fault: Fault | null;
  constructor(code: NetworkErrorCode, message: string, details: { readonly proxy?: string; readonly status?: number; readonly systemCode?: string; readonly fault?: Fault; readonly cause?: unknown } = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.name = 'NetworkError';
    this.code = code;
    this.proxy = details.proxy ?? null;
    this.status = details.status ?? null;
    this.systemCode = details.systemCode ?? null;
    this.fault = details.fault ?? null;
  }
}
