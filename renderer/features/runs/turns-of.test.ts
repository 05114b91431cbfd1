import { expect, test } from 'vitest';
import type { EvidenceEvent } from '../../../shared/run.ts';
import { turnsOf } from './turns-of.ts';

const event = (data: Record<string, unknown>, type = 'turn.request'): EvidenceEvent => ({ runId: 'r', seq: 1, prevHash: '', hash: '', at: 1, type, invocationId: null, data }) as EvidenceEvent;
const tool = { name: 's__a', capabilityId: 'mcp:s:tool:a', definitionFingerprint: 'd', form: 'plainest', state: 'told' };

test('RT42 turns are read from the evidence; what was granted and not shown is named, rows of an earlier version are left alone', () => {
  const funnel = [{ stage: 'granted', lost: [{ capabilityId: 'x', reason: 'not_granted' }] }, { stage: 'fits_route', lost: [{ capabilityId: 'y', reason: 'set_aside: m' }] }];
  expect(turnsOf([event({ turn: 1, model: 'm', route: 'gemini', request: '{}', exposed: [tool, { ...tool, state: 'odd' }], funnel })])).toEqual([{ turn: 1, model: 'm', route: 'gemini', request: '{}', exposed: [tool], missed: [{ capabilityId: 'y', reason: 'set_aside: m' }] }]);
  expect(turnsOf([event({ turn: 1, model: 'm', exposed: [] }), event({ route: 'nowhere', funnel: [] }), event({ route: 'gemini', funnel: [] }, 'turn.reply')])).toEqual([]);
});
