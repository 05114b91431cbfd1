import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILT_IN_AGENT } from '../shared/principal.ts';
import type { Fault } from '../shared/fault.ts';
import { ok, type Result } from '../shared/result.ts';
import { AgentRunner } from './agent/agent-runner.ts';
import { Sampling } from './agent/sampling.ts';
import { GuidedRuns } from './agent/guided-runs.ts';
import { rankForPerson } from './agent/guided-planner.ts';
import { scopeOfPrincipal } from './agent/profiles.ts';
import { createRankings } from './agent/rankings.ts';
import { requestWordsOf } from './agent/selection/request-words-of.ts';
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
import { environmentFacts } from './requests/environment-facts-of.ts';
import { HealthNews, healthStatus } from './requests/health.ts';
import { SettingsState } from './requests/settings-state.ts';
import { InstallJobs } from './requests/servers/install-jobs.ts';
import { removeOrphanSecrets } from './requests/servers/orphan-secrets.ts';
import { refreshBuiltins } from './requests/servers/refresh-builtins.ts';
import { stateOf, summarizeServer } from './requests/servers/server-view.ts';
import { createMasker } from './secrets/mask.ts';
import { Secrets } from './secrets/secrets.ts';
import type { HostOptions, HostPort } from './shell/host-port.ts';
import { isBarePath, SearchedPath } from './servers/login-path.ts';
import { LoginShell } from './servers/login-shell.ts';
import { freshenCapability } from './servers/freshen-capability.ts';
import { FrameLane } from './servers/frame-lane.ts';
import { concealLaunch } from './servers/launch-words.ts';
import { ServerPool } from './servers/pool.ts';
import { lastAsked } from './store/asked-questions.ts';
import { readInstallation } from './store/installations.ts';
import { Quiet } from './quiet.ts';
import { openStore, type OpenedStore } from './store/open.ts';
import { readServer } from './store/servers.ts';

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

  const settings = new SettingsState({ store, clock, bus, language: options.language, onChange: (before, after) => network.settingsChanged(before, after), onNotices: () => health.tell() });

  const catalog = new Catalog({ dir: join(assetsDir, 'catalog'), observedDir: join(assetsDir, 'observed'), onProblem: (problem) => log.warn('a catalog file was left out', { ...problem }), quiet: () => quiet.reached(), words: requestWordsOf(join(assetsDir, 'selection')) });
  const loginShell = new LoginShell(PROXY_VARIABLES);
  const bareDesktop = process.platform !== 'win32' && isBarePath(process.env['PATH'] ?? '');
  const network: Network = new Network({ store, dataDir, clock, secrets, settings: () => settings.now, env: process.env, loginVariables: bareDesktop ? () => loginShell.variables() : null, onChange: () => pool.networkChanged() });
  options.desktop?.useNetwork?.(network.outbound);
  const way = () => registryWay(readNpmConfig(), settings.now, network);
  const installer = new Installer({ dataDir, clock, log, assetsDir, hostNode, way, onContact: (note) => network.contacts.note(note) });
  await installer.resumeCleanup();
  await between();

  const schemas = new SchemaChecker();
  const rowOf = (serverId: string) => store.read((db) => readServer(db, serverId));
  const registry: CapabilityRegistry = new CapabilityRegistry({
    store,
    bus,
    clock,
    schemas,
    catalogReviews: (serverId) => ((row) => (row ? catalog.reviewsOf(row.marketEntryId, row.spec) : () => null))(rowOf(serverId)),
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
    past: (limit) => store.read((db) => lastAsked(db, limit)),
    unwritten: (error) => log.error('what a server asked could not be recorded', { error: String(error) }),
    model: new Sampling({ store, clock, secrets, outbound: network.outbound, mask, limits: () => settings.now.samplingLimits, runBudget: (runId) => agent.budgetOf(runId) }),
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
      appEnvironment: (onOwnNode) => appEnvironment({ settings: settings.now, config: () => network.config(), dataDir, onOwnNode }),
      appNames: (onOwnNode) => appEnvironmentNames(settings.now, network.certificate.pems.length > 0, onOwnNode),
    },
    clientDocument: () => (settings.now.clientDocument === '' ? null : settings.now.clientDocument),
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
    onDiscovered: (lists) => registry.register(lists),
    onReady: (serverId, named, url) => {
      icons.offered(serverId, named, url);
      line.isolations.back(serverId);
    },
    onResourceUpdated: (serverId, uri) => news.updated(serverId, uri),
    onConfirmed: (serverId, why) => line.sourceConfirmed(serverId, why),
    onRests: (serverId, why) => line.sourceRests(serverId, why),
    onRetried: (serverId, retried) => line.isolations.retried(serverId, retried),
    onSourceLeft: (serverId, reason) => {
      questions.serverLeft(serverId);
      registry.sourceLeft(serverId, reason);
    },
  });

  const sourceOf = (serverId: string) => {
    if (serverId === HOST) return { serverName: 'Gantry', serverVersion: GANTRY_VERSION };
    const info = pool.connectionInfo(serverId)?.serverInfo;
    return { serverName: info?.name ?? serverId, serverVersion: info?.version ?? '' };
  };
  const concealSettings = (serverId: string, text: string): string => concealLaunch(text, pool.launches.of(serverId));
  const categoryOnly = (serverId: string): boolean => rowOf(serverId)?.errorWords === 'category';
  const [runPages, evidence] = [new EvidenceLane(store), new EvidenceLane(store)];
  const serverName = (serverId: string): string => rowOf(serverId)?.name ?? serverId;
  const { choices, embeddings, pipeline, plannerPipeline, found } = createRankings({ store, bus, clock, log, secrets, outbound: network.outbound, mask, quiet: () => quiet.reached(), registry, selectionDir: join(assetsDir, 'selection'), serverName });
  const hostTools = new HostTools([readResultTool({ part: (question) => runPages.part(question), categoryOnly, concealSettings }), listResourcesTool((principal) => registry.readable(principal)), readResourceTool(), searchCapabilitiesTool(found.search)], GANTRY_VERSION);
  const line: CallLine = new CallLine({ store, bus, clock, log, registry: hostTools.candidatesBeside(registry), pool: hostTools.callsBeside(pool), freshen: (capabilityId) => freshenCapability(pool, capabilityId), secrets, validator: (candidate, use) => schemas.compile(use === 'input' ? candidate.inputSchema : candidate.outputSchema, candidate.definitionFingerprint, use), settings: () => settings.now, sourceOf });
  line.recoverAtStart();
  const icons = new ServerIcons({ store, clock, log, outbound: network.outbound, onChanged: (serverId) => tellServer(serverId) });
  const jobs = new InstallJobs({ installer, clock, onChange: (serverId) => tellServer(serverId) });
  removeOrphanSecrets({ store, secrets });
  const renderings = new Renderings();
  const agent: AgentRunner = new AgentRunner({ store, bus, registry, renderings, line, secrets, clock, log, mask, conceal: (text) => filter.text(text), outbound: network.outbound, freshen: (serverId, maxAgeMs) => pool.freshen(serverId, maxAgeMs), hostTools, news, categoryOnly, concealSettings, pipeline, found, serverName, wishes: () => settings.wishes() });
  const guided = new GuidedRuns({ store, bus, line, log });
  const factsPath = join(dataDir, 'environment-facts.json');
  const facts = new EnvironmentFactsFile(factsPath, log, () => environmentFacts({ clock, version: GANTRY_VERSION, options, isStopped: () => line.isStopped(), views }));
  const history = new History({ store, line, clock, bus, log, keepDays: () => settings.now.keepHistoryDays, onProgress: progressOf(bus, 'delete_history'), closing: ending.signal });
  const backups = new Backups({ store, clock, secrets, dataDir, version: GANTRY_VERSION, onProgress: (job) => progressOf(bus, job), closing: ending.signal });

  const views = { store, pool, registry, jobs, launchOf: pool.launches.for.bind(pool.launches) };
  const health = new HealthNews(bus, () =>
    healthStatus({ ...views, line, questions, secrets, notices: () => [...storeNotices, ...settings.notices, ...secrets.notices()], startedAt, versions: { gantry: GANTRY_VERSION, node: process.versions.node }, shell: options.shell, dataDir }),
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
  // the scope of a profile may be another one
  bus.on('models:changed', () => line.bindingsChanged(null));
  bus.on('capabilities:changed', ({ serverId }) => {
    // a reading, a review, a grant, a profile that is gone: whatever moved, nobody is asked about what cannot be sent any more
    line.bindingsChanged(serverId);
    if (rowOf(serverId)) tellServer(serverId);
  });

  const handlers = allHandlers({
    ...views, clock, bus, secrets, catalog, findProgram: (command) => pool.launches.findProgram(command), installer, icons, network, line, questions, news, filter, renderings, hostTools, wishes: () => settings.wishes(), guided, agent, choices, evidence, runPages, health, way, dataDir, contacts: () => network.contacts.all(),
    outbound: network.outbound,
    slot: embeddings,
    onUnlocked: secretsDecided,
    imports: new Imports({ machine: { platform: process.platform, home: homedir(), env: process.env }, now: () => clock.now() }),
    settings: () => settings.now,
    settingsOf: { read: () => settings.now, write: (change) => settings.write(change) },
    npmConfig: readNpmConfig,
    updateFeed: () => options.desktop?.status().updateFeed ?? null,
    closing: ending.signal,
    rank: (question) => rankForPerson(question, { registry, pipeline: plannerPipeline, serverName }),
    builtInEnvironment: () => ({ [FACTS_FILE_VARIABLE]: factsPath }),
    onAdded: tellServer,
    onRemoved: (serverId) => {
      settings.unpin(serverId);
      network.contacts.forgetServer(serverId);
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
    data: { store, bus, clock, installer, jobs, dataDir, desktop: options.desktop, closing: ending.signal, history, backups, onReplaced: options.onReplaced, resetSettings: () => settings.reset(), report: { store, filter, identity: ownIdentity(dataDir), now: () => clock.now(), health: () => health.now(), settings: () => settings.now, stateOf: (serverId) => stateOf(serverId, views), logs: (serverId) => pool.logs(serverId).lines } },
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
    network.contacts.write();
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
