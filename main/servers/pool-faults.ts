import { fault, type Fault } from '../../shared/fault.ts';

/** A start that failed by one of these may succeed over another way. */
export const OF_THE_WAY: ReadonlySet<string> = new Set(['address_refused', 'proxy_refused', 'certificate_untrusted', 'connection_failed', 'secret_store_locked', 'network_failed']);

/** How long a call waits for the reading that it needs. */
export const FRESHEN_LIMIT_MS = 5000;

export const unknownServer = (serverId: string): Fault => fault('not_found', `There is no server ${serverId}.`);

export const switchedOff = (): Fault => fault('disabled', 'The server is switched off.', { remedy: 'Switch it on.' });

export const notConnected = (): Fault => fault('not_connected', 'The server is not connected.');

export const notFresh = (serverId: string): Fault =>
  fault('source_not_fresh', 'What this server offers has changed or is too old, and its list of tools could not be read anew in time; nothing was sent.', {
    remedy: 'Try again in a moment, or read its lists anew (servers:discover); restart the server if it stays so.',
    details: { serverId, limitMs: FRESHEN_LIMIT_MS },
  });
