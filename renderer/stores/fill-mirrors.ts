import type { Bridge } from '../../shared/contract/bridge.ts';
import type { ServerSummary } from '../../shared/server.ts';
import { useApprovals } from './approvals.ts';
import { useCapabilities } from './capabilities.ts';
import { forgetFirstMarket, useFirstMarket } from './first-market.ts';
import { useHealth } from './health.ts';
import { replaced, type Mirror } from './mirror.ts';
import { useRuns } from './runs.ts';
import { useServers } from './servers.ts';
import { useSettings } from './settings.ts';
import { useShell } from './shell.ts';

const changed = <T>(mirror: Mirror<readonly T[]>, change: (values: readonly T[]) => readonly T[]): Mirror<readonly T[]> =>
  mirror.phase === 'ready' ? { phase: 'ready', value: change(mirror.value) } : mirror;

/**
 * Every mirrored noun, in one answer that is drawn once; where that fails, each by itself, so that one failure is not the failure of all.
 * Also what a page does that could not read its mirror.
 */
export const readAll = async (bridge: Bridge): Promise<void> => {
  if (useCapabilities.getState().wanted) void readCapabilities(bridge);
  // without an address of its own the window begins at the market
  const answer = await bridge.request('window:first', { market: location.hash === '' });
  if (!answer.ok) return readEach(bridge);
  const { settings, health, servers, approvals, runs, shell, market } = answer.value;
  useFirstMarket.setState({ answer: market });
  useSettings.setState({ settings: { phase: 'ready', value: settings } });
  useHealth.setState({ health: { phase: 'ready', value: health } });
  useServers.setState({ servers: { phase: 'ready', value: servers } });
  useApprovals.setState({ approvals: { phase: 'ready', value: approvals } });
  useRuns.setState({ runs: { phase: 'ready', value: runs } });
  useShell.setState({ shell: { phase: 'ready', value: shell } });
};

const readEach = (bridge: Bridge): void => {
  void bridge.request('settings:get', {}).then((answer) => useSettings.setState({ settings: answer.ok ? { phase: 'ready', value: answer.value.settings } : { phase: 'failed', fault: answer.error } }));
  void bridge.request('health:status', {}).then((answer) => useHealth.setState({ health: answer.ok ? { phase: 'ready', value: answer.value } : { phase: 'failed', fault: answer.error } }));
  void bridge.request('servers:list', {}).then((answer) => useServers.setState({ servers: answer.ok ? { phase: 'ready', value: answer.value.servers } : { phase: 'failed', fault: answer.error } }));
  void bridge.request('approvals:list', {}).then((answer) => useApprovals.setState({ approvals: answer.ok ? { phase: 'ready', value: answer.value.approvals } : { phase: 'failed', fault: answer.error } }));
  void bridge.request('runs:list', {}).then((answer) => useRuns.setState({ runs: answer.ok ? { phase: 'ready', value: answer.value.runs } : { phase: 'failed', fault: answer.error } }));
  void bridge.request('shell:get', {}).then((answer) => useShell.setState({ shell: answer.ok ? { phase: 'ready', value: answer.value.shell } : { phase: 'failed', fault: answer.error } }));
};

const readCapabilities = async (bridge: Bridge): Promise<void> => {
  const answer = await bridge.request('capabilities:rows', {});
  useCapabilities.setState({ capabilities: answer.ok ? { phase: 'ready', value: answer.value.rows } : { phase: 'failed', fault: answer.error } });
};

/** The rows of these servers take the place of what the mirror held of them. */
const readCapabilitiesOf = async (bridge: Bridge, serverIds: ReadonlySet<string>): Promise<void> => {
  const answers = await Promise.all([...serverIds].map((serverId) => bridge.request('capabilities:rows', { serverId })));
  const rows = answers.flatMap((answer) => (answer.ok ? answer.value.rows : []));
  if (!answers.every((answer) => answer.ok)) return readCapabilities(bridge);
  useCapabilities.setState((before) => ({ capabilities: changed(before.capabilities, (all) => [...all.filter((row) => !serverIds.has(row.serverId)), ...rows]) }));
};

/** Many servers that start at once tell of themselves in the same moment: the window draws them together. */
const GATHER_MS = 100;

/** Changes of servers and their capabilities, gathered for a moment. */
class Gathered {
  readonly #bridge: Bridge;
  readonly #servers = new Map<string, ServerSummary>();
  readonly #capabilities = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  server(server: ServerSummary): void {
    this.#servers.set(server.id, server);
    this.#later();
  }

  capabilitiesOf(serverId: string): void {
    this.#capabilities.add(serverId);
    this.#later();
  }

  removed(serverId: string): void {
    this.#servers.delete(serverId);
    this.#capabilities.delete(serverId);
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      const servers = [...this.#servers.values()];
      const serverIds = new Set(this.#capabilities);
      this.#servers.clear();
      this.#capabilities.clear();
      if (servers.length > 0) useServers.setState((before) => ({ servers: changed(before.servers, (all) => servers.reduce((next, server) => replaced(next, server, (one) => one.id), all)) }));
      if (serverIds.size === 0) return;
      useCapabilities.setState((before) => ({ revision: before.revision + 1 }));
      if (useCapabilities.getState().wanted) void readCapabilitiesOf(this.#bridge, serverIds);
    }, GATHER_MS);
  }

  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}

/**
 * Keeps the mirrors equal to the host: listens first, then reads everything, and reads everything again after the connection was lost,
 * because events may have been missed. Returns what ends it.
 */
export const fillMirrors = (bridge: Bridge): (() => void) => {
  const gathered = new Gathered(bridge);
  const ends = [
    () => gathered.end(),
    useCapabilities.subscribe((now, before) => now.wanted && !before.wanted && void readCapabilities(bridge)),
    bridge.on('host:replaced', () => location.reload()),
    bridge.on('history:changed', () => void bridge.request('runs:list', {}).then((answer) => answer.ok && useRuns.setState({ runs: { phase: 'ready', value: answer.value.runs } }))),
    bridge.on('server:changed', ({ server }) => {
      forgetFirstMarket();
      gathered.server(server);
    }),
    bridge.on('server:removed', ({ serverId }) => {
      forgetFirstMarket();
      gathered.removed(serverId);
      useServers.setState((before) => ({ servers: changed(before.servers, (all) => all.filter((one) => one.id !== serverId)) }));
      useCapabilities.setState((before) => ({ revision: before.revision + 1, capabilities: changed(before.capabilities, (all) => all.filter((row) => row.serverId !== serverId)) }));
    }),
    bridge.on('capabilities:changed', ({ serverId }) => gathered.capabilitiesOf(serverId)),
    bridge.on('approval:changed', ({ approval }) => useApprovals.setState((before) => ({ approvals: changed(before.approvals, (all) => replaced(all, approval, (one) => one.id)) }))),
    bridge.on('run:changed', ({ run }) =>
      useRuns.setState((before) => ({ runs: changed(before.runs, (all) => (all.some((one) => one.id === run.id) ? replaced(all, run, (one) => one.id) : [run, ...all])) })),
    ),
    bridge.on('settings:changed', ({ settings }) => useSettings.setState({ settings: { phase: 'ready', value: settings } })),
    bridge.on('shell:changed', ({ shell }) => useShell.setState({ shell: { phase: 'ready', value: shell } })),
    bridge.on('health:changed', (health) => useHealth.setState({ health: { phase: 'ready', value: health } })),
    bridge.onConnection((connection) => {
      const before = useHealth.getState().connection;
      useHealth.setState({ connection });
      if (connection === 'connected' && before === 'lost') void readAll(bridge);
    }),
  ];
  void readAll(bridge);
  return () => ends.forEach((end) => end());
};
