import type { LogLevel, ServerLogLevel } from '../../shared/log-level.ts';
import { rawRequest, type Session } from './session.ts';

const LIMIT_MS = 10_000;

/**
 * Sets what is wanted of a session's log. In the older era its server is told (`logging/setLevel`), where it has a log at all; in the newer one each call says it. There is
 * no way to take it back in the older era: from then on the server sends what it was told last. `refused`: why it was not taken, in words. Never rejects.
 */
export const tellLogLevel = async (session: Session, wanted: ServerLogLevel | undefined, refused: (words: string) => void): Promise<void> => {
  const level: LogLevel | null = wanted === undefined || wanted === 'default' ? null : wanted;
  const { logging } = session;
  if (logging.level === level) return;
  logging.level = level;
  if (session.era === 'modern' || level === null || session.capabilities['logging'] === undefined) return;
  try {
    await rawRequest(session.client, 'logging/setLevel', { level }, { timeout: LIMIT_MS });
  } catch (error) {
    refused(`The server does not take the level of its log: ${(error instanceof Error ? error.message : String(error)).toWellFormed()}`);
  }
};
