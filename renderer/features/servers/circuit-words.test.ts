import { expect, test } from 'vitest';
import { circuitLines } from './circuit-words.ts';

const said = ((key: string, values?: object) => `${key.replace('servers.circuit.', '')}${values ? ` ${JSON.stringify(values)}` : ''}`) as never;
const about = { failures: 3, since: 1, code: 'exited', message: 'ended', probes: 0 };
const lines = (circuit: Parameters<typeof circuitLines>[0]) => circuitLines(circuit, said, (ms) => `${ms} ms`);

test('RC11 a circuit says why nothing is sent, what the endpoint asked for, and what begins anew; a closed one says nothing', () => {
  expect(lines({ state: 'closed', failures: 2 })).toEqual([]);
  expect(lines({ state: 'open', ...about, until: 9 })).toEqual(['open {"count":3}', 'reset']);
  expect(lines({ state: 'open', ...about })).toEqual(['ended', 'leftAlone']);
  expect(lines({ state: 'open', ...about, failures: 1, until: 9, askedMs: 120_000 })).toEqual(['asked {"asked":"120000 ms"}', 'paused {"count":1}', 'reset']);
  expect(lines({ state: 'half_open', ...about, probes: 1 })).toEqual(['halfOpen {"count":3}']);
});
