import { shortHash } from '../../parts/short-hash.ts';
import type { TFunction } from 'i18next';
import type { DiscoveryFact, DiscoveryReading, ServerDetail, ServerFact } from '../../../shared/server.ts';
import { addedAs } from './server-claims.ts';
import { stateKey } from './server-words.ts';

export interface Step {
  readonly key: 'installed' | 'connected' | 'discovered' | 'access';
  /** the key of its title: an address is saved, a command is added */
  readonly title: 'installed' | 'added' | 'saved' | 'connected' | 'discovered' | 'access';
  /** how much of it is done, 0..1 */
  readonly share: number;
  readonly tone: 'done' | 'waits' | 'failed';
  /** ms since epoch of the fact, where there is one */
  readonly at: number | null;
  /** what proves it, after the time */
  readonly facts: readonly string[];
}

export const latest = (facts: readonly ServerFact[], step: ServerFact['step']): ServerFact | null =>
  facts.filter((fact) => fact.step === step && fact.ok).reduce<ServerFact | null>((newest, fact) => (newest === null || fact.at >= newest.at ? fact : newest), null);

/** One reading in words: a number, not offered, or that it failed; a failure is never zero. */
export const readingWords = (what: 'tools' | 'resources' | 'prompts', reading: DiscoveryReading, t: TFunction): string => {
  if (reading.outcome === 'not_offered') return t(`servers.reading.${what}.notOffered`);
  if (reading.outcome === 'failed') return t(`servers.reading.${what}.failed`, { code: reading.fault.code });
  const words = t(`servers.reading.${what}.read`, { count: reading.count });
  return reading.malformed.length > 0 ? t('servers.reading.malformed', { words, count: reading.malformed.length }) : reading.partial ? t('servers.reading.partial', { words }) : words;
};

/** The three lists; two that are not offered are said in one word. */
const readings = ({ tools, resources, prompts }: DiscoveryFact, t: TFunction): readonly string[] =>
  resources.outcome === 'not_offered' && prompts.outcome === 'not_offered'
    ? [readingWords('tools', tools, t), t('servers.reading.neither')]
    : [readingWords('tools', tools, t), readingWords('resources', resources, t), readingWords('prompts', prompts, t)];

/** The server's line as four steps, each with the time and the facts that prove it. */
export const stepsOf = (server: ServerDetail, t: TFunction, seconds: (ms: number) => string): readonly Step[] => {
  const { status, discovery, connection, installation } = server;
  const admitted = server.answers.access.numbers['admitted'];
  const installed = latest(server.facts, 'installed');
  const agreed = server.consentedFingerprint;
  const failed = status.state === 'unavailable' && !['consent_required', 'disabled', 'quarantined'].includes(status.code);
  const awaitsSignIn = stateKey(server) === 'signIn';
  const going = status.state === 'connecting' || status.state === 'discovering';
  const live = status.state === 'ready' || status.state === 'discovering';
  const consent = agreed === null ? t('servers.step.notAgreed') : agreed === server.launch.fingerprint ? t('servers.step.agreed', { mark: shortHash(agreed) }) : t('servers.step.agreedOther');
  const done = status.state !== 'installing';
  return [
    {
      key: 'installed',
      title: addedAs(server.spec),
      share: done ? 1 : 0.5,
      tone: agreed === server.launch.fingerprint || !done ? 'done' : 'waits',
      at: done ? (installation?.installedAt ?? installed?.at ?? server.createdAt) : null,
      facts: done ? [consent] : [t('servers.step.installing')],
    },
    {
      key: 'connected',
      title: 'connected',
      share: live ? 1 : going ? 0.5 : failed ? 1 : 0,
      tone: awaitsSignIn ? 'waits' : failed ? 'failed' : 'done',
      at: live ? (latest(server.facts, 'connected')?.at ?? null) : null,
      facts: live && connection ? [connection.transport, connection.protocolVersion, seconds(connection.connectMs)] : [awaitsSignIn ? t('servers.state.signIn') : failed ? t('servers.step.failed', { why: t(`code.${status.code}.sentence`) }) : going ? t('servers.step.connecting') : t('servers.step.notYet')],
    },
    {
      key: 'discovered',
      title: 'discovered',
      share: discovery ? 1 : 0,
      tone: discovery?.tools.outcome === 'failed' ? 'failed' : 'done',
      at: discovery?.at ?? null,
      facts: discovery ? readings(discovery, t) : [t('servers.step.notYet')],
    },
    {
      key: 'access',
      title: 'access',
      share: admitted ? Math.min(1, server.grantedCount / admitted) : 0,
      tone: 'done',
      at: null,
      facts: [admitted === undefined ? t('servers.step.notYet') : t('servers.step.granted', { count: server.grantedCount, total: admitted })],
    },
  ];
};
