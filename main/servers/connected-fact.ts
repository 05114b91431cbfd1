import { fault, type Fault } from '../../shared/fault.ts';
import type { DiscoveryFact, Launch, ServerDetail, ServerFact } from '../../shared/server.ts';
import { passingCode } from './read-lists.ts';
import type { Session } from './session.ts';

/** What proves that a server is connected. */
export const connectedFact = (session: Session, launch: Launch): Omit<ServerFact, 'at'> => {
  const data = { transport: session.kind, era: session.era, protocolVersion: session.protocolVersion, serverInfo: session.serverInfo, connectMs: session.connectMs, launch: launch.fingerprint };
  return { step: 'connected', ok: true, data: session.pid === null ? data : { ...data, pid: session.pid } };
};

/** What was agreed on a live connection. */
export const sessionFacts = (session: Session): NonNullable<ServerDetail['connection']> => ({
  transport: session.kind,
  protocolVersion: session.protocolVersion,
  era: session.era,
  serverInfo: session.serverInfo,
  ...(session.instructions === undefined ? {} : { instructions: session.instructions }),
  connectMs: session.connectMs,
  ...(session.pid === null ? {} : { pid: session.pid }),
});

/** Why a first reading is of no use: a list failed and none was read. Null when it is of use. */
export const unreadFault = (fact: DiscoveryFact | undefined): Fault | null => {
  if (fact === undefined) return fault('discovery_failed', 'What the server offers could not be read.');
  const readings = [fact.tools, fact.resources, fact.resourceTemplates, fact.prompts];
  const failed = readings.find((reading) => reading.outcome === 'failed');
  if (failed?.outcome !== 'failed' || readings.some((reading) => reading.outcome === 'read')) return null;
  const { code, message, remedy, details } = failed.fault;
  return fault(passingCode(fact) ?? (code === 'auth_required' ? code : 'discovery_failed'), message, { ...(remedy === undefined ? {} : { remedy }), ...(details === undefined ? {} : { details }) });
};
