import type { DiscoveryReading, Launch, ServerDetail, ServerSpec } from '../../../shared/server.ts';

/** What an empty list of capabilities may say: not read yet, being read, not readable, or truly nothing. */
export type EmptyClaim = 'notYet' | 'reading' | 'unreadable' | 'none';

const READINGS = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;
const counted = (reading: DiscoveryReading): number => (reading.outcome === 'read' ? reading.count : 0);
const unreadable = (reading: DiscoveryReading): boolean => reading.outcome === 'failed' || (reading.outcome === 'read' && (reading.partial || reading.malformed.length > 0));

/** "It offers nothing" is said only where the reading itself counted nothing; while what was counted is being registered, the list is being read. */
export const emptyClaim = ({ status, discovery }: Pick<ServerDetail, 'status' | 'discovery'>): EmptyClaim => {
  if (status.state === 'connecting' || status.state === 'discovering') return 'reading';
  if (discovery === null) return 'notYet';
  const readings = READINGS.map((name) => discovery[name]);
  if (readings.some((reading) => counted(reading) > 0)) return status.state === 'ready' ? 'reading' : 'notYet';
  return readings.some(unreadable) ? 'unreadable' : 'none';
};

/** True once the lists of this connection are read and their definitions are being checked and registered. */
export const isRegistering = ({ status, discovery }: Pick<ServerDetail, 'status' | 'discovery'>): boolean => status.state === 'discovering' && discovery !== null && discovery.at >= status.since;

/** An address that leads to this computer: 127.0.0.0/8, ::1 and localhost with its names (RFC 6761 section 6.3). */
export const isLoopbackUrl = (url: string): boolean => {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : '';
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
};

/** The word of the first step: only an app that Gantry fetched is installed. */
export const addedAs = (spec: Pick<ServerSpec, 'kind'>): 'installed' | 'added' | 'saved' => (spec.kind === 'http' ? 'saved' : spec.kind === 'command' ? 'added' : 'installed');

/** By this variable the host finds a process again that it left behind; it opens nothing. */
const MARK = 'GANTRY_SERVER_TOKEN';
const HOMES = ['HOME', 'USERPROFILE'];
/** Windows' parts of the user's home: never passed on. */
const DROPPED = ['HOMEDRIVE', 'HOMEPATH'];

/** What a process gets beside its own variables: copied from Gantry's environment, set to the home folder shown, and the host's mark. */
export const givenVariables = ({ env, inheritedEnv }: Pick<Extract<Launch, { kind: 'stdio' }>, 'env' | 'inheritedEnv'>): { readonly copied: readonly string[]; readonly home: readonly string[]; readonly mark: string | null } => ({
  copied: inheritedEnv.filter((name) => name !== MARK && ![...HOMES, ...DROPPED].includes(name.toUpperCase())),
  home: [...new Set(['HOME', ...inheritedEnv.filter((name) => HOMES.includes(name.toUpperCase()))])].filter((name) => !Object.hasOwn(env, name)),
  mark: inheritedEnv.includes(MARK) ? MARK : null,
});
