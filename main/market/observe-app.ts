import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InputOf, OutputOf, RequestName } from '../../shared/contract/contract.ts';
import type { Capability, Definition } from '../../shared/capability.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import type { Observed } from '../../shared/market-observed.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { DiscoveryReading, ServerDetail, ServerSpec } from '../../shared/server.ts';
import { createHost } from '../host.ts';
import type { Caller } from '../requests/handlers.ts';
import { holdsMachineText, movedBetween } from './observed-record.ts';

export interface AppToObserve {
  readonly entryId: string;
  readonly spec: ServerSpec;
  readonly env: Readonly<Record<string, string>>;
  readonly madeUp: readonly string[];
  /** set in a second look: what is declared otherwise then is marked */
  readonly optionalEnv?: Readonly<Record<string, string>>;
  /** folders that stand for those of the person */
  readonly folders?: readonly string[];
}

/** What was read, with the definitions it was read from: those are for a reviewer's eyes and are not stored. */
export interface Observation {
  readonly observed: Observed;
  readonly definitions: readonly Definition[];
}

/** No window and no right to decide: it only adds, connects and reads. */
const CALLER: Caller = { kind: 'command', canDecide: false };
/** Some servers add tools once they know what the client can do, and say so by list_changed. */
const SETTLE_MS = 1_500;

const countOf = (reading: DiscoveryReading | undefined): number | null => (reading?.outcome === 'read' ? reading.count : null);

/**
 * Installs an app into an empty data folder and connects it, through the same requests that a window makes on a host of its own; then removes all of it.
 * Errors: those of `servers:add` and `servers:connect`; `discovery_failed` where the tools could not be read.
 */
export const observeApp = async (app: AppToObserve): Promise<Result<Observation, Fault>> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-observe-'));
  const created = await createHost({ dataDir, shell: 'command', approvals: 'window' });
  if (!created.ok) return created;
  const host = created.value;
  const ask: AskHost = async <N extends RequestName>(name: N, input: InputOf<N>): Promise<Result<OutputOf<N>, Fault>> => (await host.handle(name, input, CALLER)) as Result<OutputOf<N>, Fault>;
  try {
    const serverId = 'observed';
    const added = await ask('servers:add', { spec: app.spec, serverId, env: { ...app.env } });
    if (!added.ok) return added;
    const connected = await ask('servers:connect', { serverId });
    if (!connected.ok) return connected;
    if (connected.value.state !== 'ready') {
      const told = connected.value.fault;
      return err(fault('connection_failed', `${told?.code ?? connected.value.state}: ${told?.message ?? 'the server did not become ready'}`, told?.details === undefined ? {} : { details: told.details }));
    }
    await sleep(SETTLE_MS);
    const server = await ask('servers:get', { serverId });
    if (!server.ok) return server;
    const listed = await ask('capabilities:list', { serverId });
    if (!listed.ok) return listed;
    const definitions: Definition[] = [];
    const seen: Capability[] = listed.value.capabilities.filter((one) => one.kind === 'tool');
    for (const { id } of seen) {
      const detail = await ask('capabilities:get', { capabilityId: id });
      if (!detail.ok) return detail;
      definitions.push(detail.value.capability.definition);
    }
    const moved = await movedBySettings(ask, serverId, seen, app.optionalEnv ?? {});
    const texts = [dataDir, hostname(), ...(app.folders ?? [])];
    const tools = seen.map((capability, at): Observed['tools'][number] => {
      const definition = definitions[at]!;
      const varies = holdsMachineText(definition, texts) ? 'machine' : moved.has(capability.name) ? 'configuration' : undefined;
      return { ...toolOf(capability, definition), ...(varies === undefined ? {} : { varies }) };
    });
    return describe(app, server.value.server, tools, definitions);
  } finally {
    await host.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

type AskHost = <N extends RequestName>(name: N, input: InputOf<N>) => Promise<Result<OutputOf<N>, Fault>>;

/** Names of the tools that are declared otherwise with these variables set; none where the app does not start with them. */
const movedBySettings = async (ask: AskHost, serverId: string, before: readonly Capability[], env: Readonly<Record<string, string>>): Promise<ReadonlySet<string>> => {
  if (Object.keys(env).length === 0) return new Set();
  const updated = await ask('servers:update', { serverId, env: { ...env }, consent: true });
  const connected = updated.ok ? await ask('servers:connect', { serverId }) : updated;
  if (!connected.ok || connected.value.state !== 'ready') return new Set();
  await sleep(SETTLE_MS);
  const listed = await ask('capabilities:list', { serverId });
  return listed.ok ? movedBetween(before, listed.value.capabilities) : new Set();
};

const toolOf = (capability: Capability, definition: Definition): Observed['tools'][number] => ({
  name: capability.name,
  definitionFingerprint: capability.definitionFingerprint,
  ...(definition.title === undefined ? {} : { title: definition.title }),
  ...(definition.annotations === undefined ? {} : { annotations: definition.annotations }),
  schemaState: capability.schemaState,
  outputSchema: definition.outputSchema !== undefined,
  ...defectsOf(capability.schemaDetail),
});

const defectsOf = (detail: Capability['schemaDetail']): Pick<Observed['tools'][number], 'defects'> => {
  const codes = (detail.state === 'checked' ? [] : detail.state === 'excluded' ? [detail.code] : detail.places.map(({ code }) => code)).filter((code) => code !== undefined);
  return codes.length === 0 ? {} : { defects: [...new Set(codes)] };
};

const describe = (app: AppToObserve, server: ServerDetail, tools: Observed['tools'], definitions: readonly Definition[]): Result<Observation, Fault> => {
  const { installation, connection, discovery } = server;
  if (!installation || !connection || discovery?.tools.outcome !== 'read') {
    return err(fault('discovery_failed', 'The tools could not be read.', { remedy: 'Look at the log of the server.', details: { tools: discovery?.tools.outcome ?? 'none' } }));
  }
  const { name, version, title } = connection.serverInfo;
  return ok({
    definitions,
    observed: {
      entryId: app.entryId,
      package: installation.package,
      version: installation.version,
      integrity: installation.integrity,
      sizeBytes: installation.sizeBytes,
      scriptsNotRun: installation.scripts.filter((one) => !one.allowed).map((one) => one.package),
      observedAt: new Date(installation.installedAt).toISOString().slice(0, 10),
      platform: `${process.platform}-${process.arch}`,
      node: process.versions.node,
      server: { name, version, ...(title === undefined ? {} : { title }) },
      protocolVersion: connection.protocolVersion,
      era: connection.era,
      madeUp: [...app.madeUp],
      resources: countOf(discovery.resources),
      prompts: countOf(discovery.prompts),
      tools: tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    },
  });
};
