import type { Bridge } from '../../shared/contract/bridge.ts';
import type { ServerSummary } from '../../shared/server.ts';
import { useApprovals, withApproval } from './approvals.ts';
import { useCapabilities } from './capabilities.ts';
import { forgetFirstMarket, useFirstMarket } from './first-market.ts';
import { useHealth } from './health.ts';
import { replaced, type Mirror } from './mirror.ts';
import { isOpen, useQuestions, withQuestion } from './questions.ts';
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
  useCapabilities.setState((before) => ({ revision: before.revision + 1 }));
  const told = { settings: useSettings.getState().settings, health: useHealth.getState().health, shell: useShell.getState().shell };
  // without an address of its own the window begins at the market
  const answer = await bridge.request('window:first', { market: location.hash === '' });
  if (!answer.ok) return readEach(bridge);
  const { settings, health, servers, approvals, questions, runs, shell, market } = answer.value;
  useFirstMarket.setState({ answer: market });
  // what the host told of meanwhile, whole, is not older than the answer
  if (useSettings.getState().settings === told.settings) useSettings.setState({ settings: { phase: 'ready', value: settings } });
  if (useHealth.getState().health === told.health) useHealth.setState({ health: { phase: 'ready', value: health } });
  useServers.setState({ servers: { phase: 'ready', value: servers } });
  useApprovals.setState((before) => ({ ended: before.ended + 1, approvals: { phase: 'ready', value: approvals } }));
  useQuestions.setState((before) => ({ ended: before.ended + 1, questions: { phase: 'ready', value: questions.reduce(withQuestion, []) } }));
  useRuns.setState({ runs: { phase: 'ready', value: runs } });
  if (useShell.getState().shell === told.shell) useShell.setState({ shell: { phase: 'ready', value: shell } });
};

const readEach = (bridge: Bridge): void => {
  void bridge.request('settings:get', {}).then((answer) => useSettings.setState({ settings: answer.ok ? { phase: 'ready', value: answer.value.settings } : { phase: 'failed', fault: answer.error } }));
  void bridge.request('health:status', {}).then((answer) => useHealth.setState({ health: answer.ok ? { phase: 'ready', value: answer.value } : { phase: 'failed', fault: answer.error } }));
  void bridge.request('servers:list', {}).then((answer) => useServers.setState({ servers: answer.ok ? { phase: 'ready', value: answer.value.servers } : { phase: 'failed', fault: answer.error } }));
  void bridge.request('approvals:page', { of: 'pending', limit: 5000 }).then((answer) => useApprovals.setState((before) => ({ ended: before.ended + 1, approvals: answer.ok ? { phase: 'ready', value: answer.value.rows } : { phase: 'failed', fault: answer.error } })));
  void readQuestions(bridge);
  void bridge.request('runs:list', {}).then((answer) => useRuns.setState({ runs: answer.ok ? { phase: 'ready', value: answer.value.runs } : { phase: 'failed', fault: answer.error } }));
  void bridge.request('shell:get', {}).then((answer) => useShell.setState({ shell: answer.ok ? { phase: 'ready', value: answer.value.shell } : { phase: 'failed', fault: answer.error } }));
};

/** Those that wait, and those whose reply is to be seen. */
const readQuestions = async (bridge: Bridge): Promise<void> => {
  const [waiting, review] = await Promise.all([bridge.request('questions:list', { state: 'waiting' }), bridge.request('questions:list', { state: 'review' })]);
  const failed = waiting.ok ? (review.ok ? null : review.error) : waiting.error;
  const value = [waiting, review].flatMap((answer) => (answer.ok ? answer.value.questions : [])).reduce(withQuestion, []);
  useQuestions.setState((before) => ({ ended: before.ended + 1, questions: failed === null ? { phase: 'ready', value } : { phase: 'failed', fault: failed } }));
};

/** The newest ones: older runs are a page's to ask for. */
const MOST_RUNS = 200;

/** Many servers that start at once tell of themselves in the same moment: the window draws them together. */
const GATHER_MS = 100;

/** Changes of servers and their capabilities, gathered for a moment. */
class Gathered {
  readonly #servers = new Map<string, ServerSummary>();
  #capabilities = false;
  #timer: ReturnType<typeof setTimeout> | null = null;

  server(server: ServerSummary): void {
    this.#servers.set(server.id, server);
    this.#later();
  }

  capabilities(): void {
    this.#capabilities = true;
    this.#later();
  }

  removed(serverId: string): void {
    this.#servers.delete(serverId);
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      const servers = [...this.#servers.values()];
      const moved = this.#capabilities;
      this.#servers.clear();
      this.#capabilities = false;
      if (servers.length > 0) useServers.setState((before) => ({ servers: changed(before.servers, (all) => servers.reduce((next, server) => replaced(next, server, (one) => one.id), all)) }));
      if (moved) useCapabilities.setState((before) => ({ revision: before.revision + 1 }));
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
  const gathered = new Gathered();
  const ends = [
    () => gathered.end(),
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
      useCapabilities.setState((before) => ({ revision: before.revision + 1 }));
    }),
    bridge.on('capabilities:changed', () => gathered.capabilities()),
    bridge.on('approval:changed', ({ approval }) => useApprovals.setState((before) => ({ ended: before.ended + (approval.state === 'pending' ? 0 : 1), approvals: changed(before.approvals, (waiting) => withApproval(waiting, approval)) }))),
    bridge.on('question:changed', ({ question }) => useQuestions.setState((before) => ({ ended: before.ended + (isOpen(question) ? 0 : 1), questions: changed(before.questions, (waiting) => withQuestion(waiting, question)) }))),
    bridge.on('run:changed', ({ run }) =>
      useRuns.setState((before) => ({ runs: changed(before.runs, (all) => (all.some((one) => one.id === run.id) ? replaced(all, run, (one) => one.id) : [run, ...all.slice(0, MOST_RUNS - 1)])) })),
    ),
    bridge.on('settings:changed', ({ settings }) => useSettings.setState({ settings: { phase: 'ready', value: settings } })),
    bridge.on('shell:changed', ({ shell }) => useShell.setState({ shell: { phase: 'ready', value: shell } })),
    bridge.on('health:changed', (health) => useHealth.setState({ health: { phase: 'ready', value: health } })),
    bridge.onConnection((connection) => {
      const before = useHealth.getState().connection;
      useHealth.setState({ connection, ...(connection === 'connected' ? { refused: null } : {}) });
      if (connection === 'lost') {
        void bridge.request('health:ready', {}).then((answer) => {
          if (!answer.ok && answer.error.code === 'forbidden') useHealth.setState({ refused: answer.error.details?.['stranger'] === true ? 'stranger' : 'refused' });
        });
      }
      if (connection === 'connected' && before === 'lost') void readAll(bridge);
    }),
  ];
  void readAll(bridge);
  return () => ends.forEach((end) => end());
};
