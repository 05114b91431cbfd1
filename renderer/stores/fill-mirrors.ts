import type { Bridge } from '../../shared/contract/bridge.ts';
import { useApprovals } from './approvals.ts';
import { useCapabilities } from './capabilities.ts';
import { useHealth } from './health.ts';
import { replaced, type Mirror } from './mirror.ts';
import { useRuns } from './runs.ts';
import { useServers } from './servers.ts';
import { useSettings } from './settings.ts';

const changed = <T>(mirror: Mirror<readonly T[]>, change: (values: readonly T[]) => readonly T[]): Mirror<readonly T[]> =>
  mirror.phase === 'ready' ? { phase: 'ready', value: change(mirror.value) } : mirror;

/** Asks the host for every mirrored noun; each fails by itself. Also what a page does that could not read its mirror. */
export const readAll = (bridge: Bridge): void => {
  void bridge.request('settings:get', {}).then((answer) => useSettings.setState({ settings: answer.ok ? { phase: 'ready', value: answer.value.settings } : { phase: 'failed', fault: answer.error } }));
  void bridge.request('health:status', {}).then((answer) => useHealth.setState({ health: answer.ok ? { phase: 'ready', value: answer.value } : { phase: 'failed', fault: answer.error } }));
  void bridge.request('servers:list', {}).then((answer) => useServers.setState({ servers: answer.ok ? { phase: 'ready', value: answer.value.servers } : { phase: 'failed', fault: answer.error } }));
  void bridge.request('approvals:list', {}).then((answer) => useApprovals.setState({ approvals: answer.ok ? { phase: 'ready', value: answer.value.approvals } : { phase: 'failed', fault: answer.error } }));
  void bridge.request('runs:list', {}).then((answer) => useRuns.setState({ runs: answer.ok ? { phase: 'ready', value: answer.value.runs } : { phase: 'failed', fault: answer.error } }));
  void readCapabilities(bridge);
};

const readCapabilities = async (bridge: Bridge): Promise<void> => {
  const answer = await bridge.request('capabilities:list', {});
  useCapabilities.setState((before) => ({
    capabilities: answer.ok ? { phase: 'ready', value: answer.value.capabilities } : { phase: 'failed', fault: answer.error },
    revision: before.revision + 1,
  }));
};

/** One server's capabilities take the place of what the mirror held of it. */
const readCapabilitiesOf = async (bridge: Bridge, serverId: string): Promise<void> => {
  const answer = await bridge.request('capabilities:list', { serverId });
  if (!answer.ok) return readCapabilities(bridge);
  useCapabilities.setState((before) => ({
    capabilities: changed(before.capabilities, (all) => [...all.filter((capability) => capability.serverId !== serverId), ...answer.value.capabilities]),
    revision: before.revision + 1,
  }));
};

/**
 * Keeps the mirrors equal to the host: listens first, then reads everything, and reads everything again after the connection was lost,
 * because events may have been missed. Returns what ends it.
 */
export const fillMirrors = (bridge: Bridge): (() => void) => {
  const ends = [
    bridge.on('server:changed', ({ server }) => useServers.setState((before) => ({ servers: changed(before.servers, (all) => replaced(all, server, (one) => one.id)) }))),
    bridge.on('server:removed', ({ serverId }) => {
      useServers.setState((before) => ({ servers: changed(before.servers, (all) => all.filter((one) => one.id !== serverId)) }));
      void readCapabilities(bridge);
    }),
    bridge.on('capabilities:changed', ({ serverId }) => void readCapabilitiesOf(bridge, serverId)),
    bridge.on('approval:changed', ({ approval }) => useApprovals.setState((before) => ({ approvals: changed(before.approvals, (all) => replaced(all, approval, (one) => one.id)) }))),
    bridge.on('run:changed', ({ run }) =>
      useRuns.setState((before) => ({ runs: changed(before.runs, (all) => (all.some((one) => one.id === run.id) ? replaced(all, run, (one) => one.id) : [run, ...all])) })),
    ),
    bridge.on('settings:changed', ({ settings }) => useSettings.setState({ settings: { phase: 'ready', value: settings } })),
    bridge.on('health:changed', (health) => useHealth.setState({ health: { phase: 'ready', value: health } })),
    bridge.onConnection((connection) => {
      const before = useHealth.getState().connection;
      useHealth.setState({ connection });
      if (connection === 'connected' && before === 'lost') readAll(bridge);
    }),
  ];
  readAll(bridge);
  return () => ends.forEach((end) => end());
};
