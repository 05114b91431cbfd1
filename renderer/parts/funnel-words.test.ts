import { expect, test } from 'vitest';
import type { Funnel } from '../../shared/capability.ts';
import { funnelBars, funnelEnd, funnelLoss, reasonParts } from './funnel-words.ts';

const funnel: Funnel = {
  principal: 'agent:default',
  stages: [
    { stage: 'registered', evaluated: true, count: 4, capabilityIds: ['a', 'b', 'c', 'd'], lost: [] },
    { stage: 'admitted', evaluated: true, count: 3, capabilityIds: ['a', 'b', 'c'], lost: [{ capabilityId: 'd', reason: 'needs_review' }] },
    { stage: 'granted', evaluated: true, count: 1, capabilityIds: ['a'], lost: [{ capabilityId: 'b', reason: 'not_granted' }, { capabilityId: 'c', reason: 'definition_changed' }] },
    { stage: 'exposed', evaluated: false, count: 0, capabilityIds: [], lost: [] },
  ],
};

test('U60 bars are shares of the widest stage, and a stage nobody evaluated is not zero', () => {
  expect(funnelBars(funnel).map((b) => [b.share, b.lost, b.evaluated])).toEqual([[1, 0, true], [0.75, 1, true], [0.25, 2, true], [0, 0, false]]);
  expect(funnelEnd(funnel)).toEqual({ seen: 1, of: 4, stage: 'granted' });
  // a resource is read by the host's own tool: it counts with and without the stages of a request
  const request: Funnel = { ...funnel, stages: funnel.stages.map((one) => (one.stage === 'exposed' ? { ...one, evaluated: true, lost: [{ capabilityId: 'a', reason: 'by_read_resource' }] } : one)) };
  expect(funnelEnd(request)).toEqual({ seen: 1, of: 4, stage: 'exposed' });
});

test('U60 every capability that dropped out is found with its stage and reason', () => {
  expect(funnelLoss(funnel, 'c')).toEqual({ stage: 'granted', reason: 'definition_changed' });
  expect(funnelLoss(funnel, 'a')).toBeNull();
});

test('U60 a reason is a code with an optional detail, or words', () => {
  expect(reasonParts('not_granted')).toEqual({ code: 'not_granted', detail: '' });
  expect(reasonParts('unavailable: exited')).toEqual({ code: 'unavailable', detail: 'exited' });
  expect(reasonParts('The server is stopped')).toEqual({ code: '', detail: 'The server is stopped' });
});
