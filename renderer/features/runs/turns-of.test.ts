import { expect, test } from 'vitest';
import type { EvidenceEvent } from '../../../shared/run.ts';
import { turnsOf } from './turns-of.ts';

const event = (data: Record<string, unknown>, type = 'turn.request'): EvidenceEvent => ({ runId: 'r', seq: 1, prevHash: '', hash: '', at: 1, type, invocationId: null, data }) as EvidenceEvent;
const tool = { name: 's__a', capabilityId: 'mcp:s:tool:a', definitionFingerprint: 'd', form: 'plainest', state: 'told' };

test('RT42 turns are read from the evidence; what was granted and not shown is named, rows of an earlier version are left alone', () => {
  const funnel = [{ stage: 'granted', lost: [{ capabilityId: 'x', reason: 'not_granted' }] }, { stage: 'fits_route', lost: [{ capabilityId: 'y', reason: 'set_aside: m' }] }];
  expect(turnsOf([event({ turn: 1, model: 'm', route: 'gemini', request: '{}', exposed: [tool, { ...tool, state: 'odd' }], funnel })])).toMatchObject([{ turn: 1, model: 'm', route: 'gemini', exposed: [{ ...tool, bound: null, hostField: false }], missed: [{ capabilityId: 'y', reason: 'set_aside: m' }], history: null }]);
  expect(turnsOf([event({ turn: 1, model: 'm', exposed: [] }), event({ route: 'nowhere', funnel: [] }), event({ route: 'gemini', funnel: [] }, 'turn.reply')])).toEqual([]);
});

test('BD09 what a turn bound a tool to is read from the evidence, with what moved since the turn before that showed it', () => {
  const shown = (turn: number, more: Record<string, unknown>, source: Record<string, unknown> | null) => event({
    turn, model: 'm', route: 'gemini', request: '{}', funnel: [], ...(source === null ? {} : { sources: { s: source } }),
    exposed: more === NOT_SHOWN ? [] : [{ ...tool, bindingFingerprint: JSON.stringify([more, source]), review: 'user:read_only:admit:1', ...more }],
  });
  const NOT_SHOWN = {};
  const first = { launchFingerprint: 'l1', instructionsFingerprint: null };
  const turns = turnsOf([
    shown(1, { review: 'user:read_only:admit:1' }, first), shown(2, { review: 'user:read_only:admit:1' }, first), shown(3, NOT_SHOWN, null),
    shown(4, { definitionFingerprint: 'd2' }, { launchFingerprint: 'l2', instructionsFingerprint: 'i' }), shown(5, { definitionFingerprint: 'd2', review: null }, { launchFingerprint: 'l2', instructionsFingerprint: 'i' }), shown(6, { definitionFingerprint: 'd2' }, null),
  ]);
  expect(turns.map(({ exposed }) => exposed[0]?.bound?.moved)).toEqual([[], [], undefined, ['definition', 'launch', 'instructions'], ['review'], undefined]);
  expect(turns[0]!.exposed[0]!.bound).toMatchObject({ launch: 'l1', instructions: null, review: 'user:read_only:admit:1' });
});
