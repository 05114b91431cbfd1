import type { TFunction } from 'i18next';
import type { CircuitState } from '../../../shared/server.ts';

/** What a circuit that is not closed says, sentence by sentence; nothing while it is closed. */
export const circuitLines = (circuit: CircuitState, t: TFunction, length: (ms: number) => string): readonly string[] => {
  if (circuit.state === 'closed') return [];
  const { failures, askedMs } = circuit;
  const asked = askedMs === undefined ? [] : [t('servers.circuit.asked', { asked: length(askedMs) })];
  if (circuit.state === 'half_open') return [...asked, t('servers.circuit.halfOpen', { count: failures })];
  // the fault beside it says how often it was tried: a start may be two tries
  if (circuit.until === undefined) return [t('servers.circuit.ended'), t('servers.circuit.leftAlone')];
  return [...asked, t(askedMs === undefined ? 'servers.circuit.open' : 'servers.circuit.paused', { count: failures }), t('servers.circuit.reset')];
};
