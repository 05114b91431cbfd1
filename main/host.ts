import { homedir, release, totalmem, cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Notice } from '../shared/notice.ts';
import { parseCapabilityId } from '../shared/capability-id.ts';
import { BUILT_IN_AGENT } from '../shared/principal.ts';
import type { Fault } from '../shared/fault.ts';
import type { Settings } from '../shared/settings.ts';
import { ok, type Result } from '../shared/result.ts';
import { AgentRunner } from './agent/agent-runner.ts';
import { Sampling } from './agent/sampling.ts';
import type { ExposureWishes } from './agent/exposure.ts';
import { GuidedRuns } from './agent/guided-runs.ts';
import { rankForPerson } from './agent/guided-planner.ts';
import { LearnedChoices } from './agent/learned-choices.ts';
import { scopeOfPrincipal } from './agent/profiles.ts';
import { FoundCapabilities } from './agent/find-capabilities.ts';
import { SelectionPipeline } from './agent/selection/pipeline.ts';
import { EmbeddingSlot } from './agent/embeddings/embedding-slot.ts';
import { namedTools, ownIndex } from './agent/embeddings/known-tools.ts';
import { ToolSelector } from './agent/selection/tool-selector.ts';
import { Bus } from './bus.ts';
import { HOST, HostTools } from './calls/host-tools/host-tools.ts';
import { readResultTool } from './calls/host-tools/read-result.ts';
import { searchCapabilitiesTool } from './calls/host-tools/search-capabilities.ts';
import { listResourcesTool, readResourceTool } from './calls/host-tools/resource-tools.ts';
import { CallLine } from './calls/run-call.ts';
import { CapabilityRegistry } from './capabilities/registry.ts';
import { ResourceNews } from './capabilities/resource-news.ts';
import { Renderings } from './capabilities/routes/renderings.ts';
import { SchemaChecker } from './capabilities/schema-checker.ts';
import { systemClock, type Clock } from './clock.ts';
import manifest from '../package.json' with { type: 'json' };
import { LicenceFile } from './licence-file.ts';
import { createLog } from './log.ts';
import { Backups } from './data/backup/backups.ts';
import { sweep } from './data/clean-up.ts';
import { History } from './data/history.ts';
import { ownIdentity } from './data/redact.ts';
import { PrivacyFilter } from './evidence/privacy-filter.ts';
import { EvidenceLane } from './evidence/evidence-lane.ts';
import { openLogFile } from './log-file.ts';
import { ServerIcons } from './icons/server-icons.ts';
import { Catalog } from './market/catalog.ts';
import { FACTS_FILE_VARIABLE } from './market/environment-facts.ts';
import { EnvironmentFactsFile } from './market/environment-facts-file.ts';
import { Imports } from './market/import/imports.ts';
import { Installer } from './market/installer.ts';
import { readNpmConfig } from './market/npm-config.ts';
import { registryWay } from './market/registry-source.ts';
import { appEnvironment, appEnvironmentNames } from './network/app-environment.ts';
import { Network } from './network/network.ts';
import { PROXY_VARIABLES } from './network/system-proxies.ts';
import { QuestionDesk } from './questions/question-desk.ts';
import { progressOf } from './requests/data-requests.ts';
import { dispatchRequest } from './requests/dispatch-request.ts';
import { allHandlers } from './requests/all-handlers.ts';
import type { Caller } from './requests/handlers.ts';
import { HealthNews, healthStatus } from './requests/health.ts';
import { InstallJobs } from './requests/servers/install-jobs.ts';
import { removeOrphanSecrets } from './requests/servers/orphan-secrets.ts';
import { refreshBuiltins } from './requests/servers/refresh-builtins.ts';
import { stateOf, summarizeServer } from './requests/servers/server-view.ts';
import { createMasker } from './secrets/mask.ts';
import { Secrets } from './secrets/secrets.ts';
import type { HostOptions, HostPort } from './shell/host-port.ts';
import { isBarePath, SearchedPath } from './servers/login-path.ts';
import { LoginShell } from './servers/login-shell.ts';
import { FrameLane } from './servers/frame-lane.ts';
import { concealLaunch } from './servers/launch-words.ts';
import { ServerPool } from './servers/pool.ts';
import type { WriteDb } from './store/database.ts';
import { readInstallation } from './store/installations.ts';
import { Quiet } from './quiet.ts';
import { openStore, type OpenedStore } from './store/open.ts';
import { listServers, readServer } from './store/servers.ts';
import { readSettings, resetSettings, settingNotices, writeSettings } from './store/settings.ts';

/** package.json is the one place of the version: the package, the host and the update feed take it from there. */
export const GANTRY_VERSION: string = manifest.version;

export interface Host extends HostPort {
  readonly bus: Bus;
}

/** Composition, once, visibly and in order (design section 8). Nothing else constructs these parts. `between` lets others have a turn between the longer steps. */
export const createHost = async (options: HostOptions & { readonly clock?: Clock; readonly opened?: OpenedStore; readonly between?: () => Promise<void>; readonly passphrase?: string; readonly onReplaced?: (wanted: { readonly passphrase?: string }) => void }): Promise<Result<Host, Fault>> => {
  const clock = options.clock ?? systemClock;
  const startedAt = clock.now();
  const between = options.between ?? (() => Promise.resolve());
  const assetsDir = options.assetsDir ?? fileURLToPath(new URL('../assets', import.meta.url));
  const hostNode = options.hostNode ?? process.execPath;

  const opened = options.opened ? ok(options.opened) : await openStore({ dataDir: options.dataDir, clock });
  if (!opened.ok) return opened;
  const { store } = opened.value;
  const storeNotices = opened.value.notices();
  const dataDir = resolve(options.dataDir);

  const ending = new AbortController();
  const bus = new Bus();
  const quiet = new Quiet();
  // what is decided before the host is whole is told with its first status
  let secretsDecided = (): void => {};
  const secrets = await Secrets.open({ store, clock, ...(options.safeStorage ? { safeStorage: options.safeStorage } : {}), onChange: () => secretsDecided() });
  if (options.passphrase !== undefined && secrets.status().state === 'locked') await secrets.unlock(options.passphrase);
  const mask = createMasker(() => secrets.knownValues(), secrets.forms);
  const logFile = openLogFile(dataDir);
  const log = createLog({ destination: logFile, mask });
  store.onRefused = (count) => log.error('recorded steps were not taken into their tables; they are kept in steps_refused', { count });

  let settingsNotices: readonly Notice[] = store.read((db) => settingNotices(db, startedAt));
  let settings = options.language ? store.write((db) => writeSettings(db, { language: options.language })) : store.read(readSettings);

  const catalog = new Catalog({ dir: join(assetsDir, 'catalog'), observedDir: join(assetsDir, 'observed'), onProblem: (problem) => log.warn('a catalog file was left out', { ...problem }), quiet: () => quiet.reached() });
  const loginShell = new LoginShell(PROXY_VARIABLES);
  const bareDesktop = process.platform !== 'win32' && isBarePath(process.env['PATH'] ?? '');
  const network: Network = new Network({ dataDir, clock, secrets, settings: () => settings, env: process.env, loginVariables: bareDesktop ? () => loginShell.variables() : null, onChange: () => pool.networkChanged() });
  options.desktop?.useNetwork?.(network.outbound);
  const way = () => registryWay(readNpmConfig(), settings, network);
  const installer = new Installer({ dataDir, clock, log, assetsDir, hostNode, way, onContact: (note) => network.contacted(note) });
  await installer.resumeCleanup();
  await between();

  const schemas = new SchemaChecker();
  const rowOf = (serverId: string) => store.read((db) => readServer(db, serverId));
  const registry: CapabilityRegistry = new CapabilityRegistry({
    store,
    bus,
    clock,
    schemas,
    catalogReviews: (serverId) => {
      const row = rowOf(serverId);
      return row ? catalog.reviewsOf(row.marketEntryId, row.spec) : () => null;
    },
    launchFingerprintOf: (serverId) => pool.runningLaunchFingerprint(serverId) ?? pool.launches.of(serverId)?.fingerprint ?? null,
    serverStateOf: (serverId) => pool.health(serverId),
    scopeOf: (principal) => scopeOfPrincipal(principal, store),
  });

  await between();
  const news = new ResourceNews({ bus, clock });
  const frames = new FrameLane(new URL('./calls/frame-worker.ts', import.meta.url));
  const filter = new PrivacyFilter(() => secrets.knownValues(), secrets.forms);
  const questions = new QuestionDesk({
    bus,
    clock,
    filter,
    serverName: (serverId) => rowOf(serverId)?.name ?? serverId,
    isRunOpen: (runId) => line.isRunOpen(runId),
    note: (runId, events, durable) => line.note(runId, events, undefined, durable),
    unwritten: (error) => log.error('what a server asked could not be recorded', { error: String(error) }),
    model: new Sampling({ store, clock, secrets, outbound: network.outbound, mask, limits: () => settings.samplingLimits, runBudget: (runId) => agent.budgetOf(runId) }),
  });
  const pool: ServerPool = new ServerPool({
    store,
    bus,
    clock,
    secrets,
    log,
    dataDir,
    hostNode,
    assetsDir,
    network: {
      outbound: network.outbound,
      appEnvironment: (onOwnNode) => appEnvironment({ settings, config: () => network.config(), dataDir, onOwnNode }),
      appNames: (onOwnNode) => appEnvironmentNames(settings, network.certificate.pems.length > 0, onOwnNode),
    },
    clientDocument: () => (settings.clientDocument === '' ? null : settings.clientDocument),
    mask,
    questions,
    version: GANTRY_VERSION,
    open: { frames, path: new SearchedPath(process.env['PATH'] ?? '', () => loginShell.path()) },
    accessOf: (serverId) => registry.serverAccess(serverId, BUILT_IN_AGENT),
    quiet: () => quiet.reached(),
    verifyInstallation: async (serverId) => {
      const installation = store.read((db) => readInstallation(db, serverId));
      return installation ? installer.verify(installation) : ok({ restored: [] });
    },
    onDiscovered: async (lists) => {
      await registry.register(lists);
      line.bindingsChanged(lists.serverId);
    },
    onReady: (serverId, named, url) => {
      icons.offered(serverId, named, url);
      line.isolations.back(serverId);
    },
    onResourceUpdated: (serverId, uri) => news.updated(serverId, uri),
    onConfirmed: (serverId, why) => line.isolations.confirmed(serverId, why),
    onRetried: (serverId, retried) => line.isolations.retried(serverId, retried),
    onSourceLeft: (serverId, reason) => {
      questions.serverLeft(serverId);
      registry.sourceLeft(serverId, reason);
      line.bindingsChanged(serverId);
    },
  });

  const sourceOf = (serverId: string) => {
    if (serverId === HOST) return { serverName: 'Gantry', serverVersion: GANTRY_VERSION };
    const info = pool.connectionInfo(serverId)?.serverInfo;
    return { serverName: info?.name ?? serverId, serverVersion: info?.version ?? '' };
  };
  const categoryOnly = (serverId: string): boolean => rowOf(serverId)?.errorWords === 'category';
  const concealSettings = (serverId: string, text: string): string => concealLaunch(text, pool.launches.of(serverId));
  const runPages = new EvidenceLane(store);
  const serverName = (serverId: string): string => rowOf(serverId)?.name ?? serverId;
  const choices = new LearnedChoices({ store, bus, clock, log });
  const embeddings = new EmbeddingSlot({ store, bus, clock, log, secrets, outbound: network.outbound, mask, quiet: () => quiet.reached(), tools: () => namedTools(registry, store), rankIn: () => ownIndex(join(assetsDir, 'selection')) });
  const pipelineOf = (): SelectionPipeline => new SelectionPipeline({ selector: new ToolSelector(join(assetsDir, 'selection')), choices, semantic: embeddings.match, log });
  // an index each: the planner's holds every tool, not only what an agent may use
  const [pipeline, plannerPipeline] = [pipelineOf(), pipelineOf()];
  const found = new FoundCapabilities({ registry, pipeline, serverName });
  const hostTools = new HostTools([readResultTool({ part: (question) => runPages.part(question), categoryOnly, concealSettings }), listResourcesTool((principal) => registry.readable(principal)), readResourceTool(), searchCapabilitiesTool(found.search)], GANTRY_VERSION);
  const freshenFor = (capabilityId: string): Promise<Fault | null> | null => {
    const { serverId = '', kind = 'tool' } = parseCapabilityId(capabilityId) ?? {};
    return pool.freshen(serverId, Infinity, kind !== 'tool');
  };
  const line: CallLine = new CallLine({ store, bus, clock, log, registry: hostTools.candidatesBeside(registry), pool: hostTools.callsBeside(pool), freshen: (capabilityId) => freshenFor(capabilityId), secrets, validator: (candidate, use) => schemas.compile(use === 'input' ? candidate.inputSchema : candidate.outputSchema, candidate.definitionFingerprint, use), settings: () => settings, sourceOf });
  line.recoverAtStart();
  const evidence = new EvidenceLane(store);
  const icons = new ServerIcons({ store, clock, log, outbound: network.outbound, onChanged: (serverId) => tellServer(serverId) });
  const jobs = new InstallJobs({ installer, clock, onChange: (serverId) => tellServer(serverId) });
  removeOrphanSecrets({ store, secrets });
  const wishes = (): ExposureWishes => ({ tools: settings.toolsPerRequest, tokens: settings.toolTokensPerRequest, pinned: settings.pinnedTools });
  const renderings = new Renderings();
  const agent: AgentRunner = new AgentRunner({ store, bus, registry, renderings, line, secrets, clock, log, mask, conceal: (text) => filter.text(text), outbound: network.outbound, freshen: (serverId, maxAgeMs) => pool.freshen(serverId, maxAgeMs), hostTools, news, categoryOnly, concealSettings, pipeline, found, serverName, wishes });
  const guided = new GuidedRuns({ store, bus, line, log });
  const factsPath = join(dataDir, 'environment-facts.json');
  const facts = new EnvironmentFactsFile(factsPath, log, () => ({
    format: 'gantry-facts/1',
    writtenAt: clock.now(),
    gantry: { version: GANTRY_VERSION, shell: options.shell },
    node: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    osRelease: release(),
    cpuCount: cpus().length,
    memoryBytes: totalmem(),
    locale: Intl.DateTimeFormat().resolvedOptions().locale,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    featureSwitches: { approvals_by_script: options.approvals === 'script', stop_all: line.isStopped() },
    servers: store.read(listServers).map((row) => ({ id: row.id, name: row.name, kind: row.spec.kind, enabled: row.enabled, state: stateOf(row.id, views).state })),
  }));

  const changeSettings = (change: (db: WriteDb) => Settings): Settings => {
    const before = settings;
    settings = store.write(change);
    network.settingsChanged(before, settings);
    bus.emit('settings:changed', { settings });
    return settings;
  };
  const settingsReset = (): void => {
    changeSettings((db) => resetSettings(db));
    settingsNotices = [{ code: 'data_reset', at: clock.now(), message: 'The settings were reset.', details: { what: 'settings' } }];
    health.tell();
  };
  const history = new History({ store, line, clock, bus, log, keepDays: () => settings.keepHistoryDays, onProgress: progressOf(bus, 'delete_history'), closing: ending.signal });

  const backups = new Backups({ store, clock, secrets, dataDir, version: GANTRY_VERSION, onProgress: (job) => progressOf(bus, job), closing: ending.signal });

  const findProgram = (command: string): string | null => pool.launches.findProgram(command);
  const views = { store, pool, registry, jobs, launchOf: pool.launches.for.bind(pool.launches) };
  const health = new HealthNews(bus, () =>
    healthStatus({ ...views, line, questions, secrets, notices: () => [...storeNotices, ...settingsNotices, ...secrets.notices()], startedAt, versions: { gantry: GANTRY_VERSION, node: process.versions.node }, shell: options.shell, dataDir }),
  );
  secretsDecided = () => {
    network.changed();
    pool.secretsUnlocked();
    embeddings.changed();
    health.tell();
  };
  const tellServer = (serverId: string): void => {
    const row = jobs.get(serverId)?.row ?? rowOf(serverId);
    if (row) bus.emit('server:changed', { server: summarizeServer(row, views) });
    health.tell();
  };
  for (const name of ['server:changed', 'server:removed', 'approval:changed', 'question:changed', 'invocation:changed'] as const) bus.on(name, () => health.tell());
  for (const name of ['server:changed', 'server:removed'] as const) bus.on(name, () => facts.refresh());
  bus.on('run:changed', ({ run }) => {
    if (run.endedAt !== null) questions.runEnded(run.id);
  });
  bus.on('capabilities:changed', ({ serverId }) => {
    if (rowOf(serverId)) tellServer(serverId);
  });

  const handlers = allHandlers({
    ...views, clock, bus, secrets, catalog, findProgram, installer, icons, network, line, questions, news, filter, renderings, hostTools, wishes, guided, agent, choices, evidence, runPages, health, mask,
    outbound: network.outbound,
    slot: embeddings,
    onUnlocked: secretsDecided,
    imports: new Imports({ machine: { platform: process.platform, home: homedir(), env: process.env }, now: () => clock.now() }),
    bindingsChanged: (serverId) => line.bindingsChanged(serverId),
    settings: () => settings,
    settingsOf: { read: () => settings, write: (change) => changeSettings((db) => writeSettings(db, change)) },
    npmConfig: readNpmConfig,
    way,
    updateFeed: () => options.desktop?.status().updateFeed ?? null,
    closing: ending.signal,
    rank: (question) => rankForPerson(question, { registry, pipeline: plannerPipeline, serverName }),
    contacts: () => network.contacts(),
    dataDir,
    builtInEnvironment: () => ({ [FACTS_FILE_VARIABLE]: factsPath }),
    onAdded: tellServer,
    onRemoved: (serverId) => {
      // a later server of the same id is another one
      const pinnedTools = settings.pinnedTools.filter((id) => parseCapabilityId(id)?.serverId !== serverId);
      if (pinnedTools.length < settings.pinnedTools.length) changeSettings((db) => writeSettings(db, { pinnedTools }));
      bus.emit('server:removed', { serverId });
      health.tell();
    },
    onServerGone: (serverId, cause) => line.serverGone(serverId, cause),
    onLaunchChanged: async (serverId, launchChanged) => {
      registry.sourceLeft(serverId, 'configuration_changed');
      if (launchChanged) line.launchChanged(serverId);
      await pool.configChanged(serverId);
      tellServer(serverId);
    },
    shell: { kind: options.shell, desktop: options.desktop, places: options.places, licences: new LicenceFile(options.licencesFile ?? fileURLToPath(new URL('../dist/renderer/licences.json', import.meta.url))), health: () => health.now() },
    data: { store, bus, clock, installer, jobs, dataDir, desktop: options.desktop, closing: ending.signal, history, backups, onReplaced: options.onReplaced, resetSettings: settingsReset, report: { store, filter, identity: ownIdentity(dataDir), now: () => clock.now(), health: () => health.now(), settings: () => settings, stateOf: (serverId) => stateOf(serverId, views), logs: (serverId) => pool.logs(serverId).lines } },
  });

  const renewed = await refreshBuiltins({ store, clock, installer, launchOf: views.launchOf });
  if (renewed.length > 0) log.info('built-in servers changed with Gantry and ask for consent again', { servers: renewed });
  await facts.write();
  void sweep(dataDir);
  history.start();
  pool.start();
  log.info('host started', { shell: options.shell, version: GANTRY_VERSION });

  const handle = dispatchRequest(handlers, log, mask);
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    ending.abort();
    questions.close();
    await Promise.all([history.close(), backups.close()]);
    guided.close();
    choices.close();
    await Promise.all([icons.close(), embeddings.close(), agent.close(), line.close(), jobs.close(), pool.close()]);
    await Promise.all([frames.close(), evidence.close(), runPages.close()]);
    await schemas.close();
    health.close();
    await facts.close();
    log.info('host closed');
    logFile.close();
    store.close();
  };
  return ok({
    bus,
    handle: (name: string, input: unknown, caller: Caller) => {
      quiet.asked();
      return handle(name, input, caller);
    },
    close: () => (closing ??= close()),
  });
};
