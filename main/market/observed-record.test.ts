import { expect, test } from 'vitest';
import type { Observed, ObservedTool } from '../../shared/market-observed.ts';
import { holdsMachineText, movedBetween, recordComplaints } from './observed-record.ts';

const tool = (name: string, print: string, varies?: ObservedTool['varies']): ObservedTool => ({ name, definitionFingerprint: print.repeat(64), schemaState: 'checked', ...(varies === undefined ? {} : { varies }) });
const record = (...tools: ObservedTool[]): Observed => ({ version: '1.0.0', tools }) as Observed;

test('M58 a definition that holds a folder or name of the machine is told apart, whatever way it is written', () => {
  const of = (description: string) => ({ name: 'save', description });
  expect(holdsMachineText(of('saved below /tmp/data-1/homes/app'), ['/tmp/data-1'])).toBe(true);
  expect(holdsMachineText(of('saved below C:\\Users\\me\\data'), ['C:\\Users\\me'])).toBe(true);
  expect(holdsMachineText({ name: 'save', inputSchema: { properties: { to: { default: '/tmp/data-1/homes' } } } }, ['/tmp/data-1'])).toBe(true);
  expect(holdsMachineText(of('saved below the home folder'), ['/tmp/data-1', 'home'])).toBe(false);
});

test('M58 what a setting changes in a tool is found by a second look; a tool that only comes or goes does not vary', () => {
  expect([...movedBetween([tool('a', '1'), tool('b', '2'), tool('c', '3')], [tool('a', '1'), tool('b', '4'), tool('d', '5')])]).toEqual(['b']);
});

test('M58 a new look is compared with the record of the same version, but for what is marked as of the machine', () => {
  const kept = record(tool('a', '1'), tool('b', '2', 'machine'), tool('c', '3', 'configuration'));
  expect(recordComplaints(kept, { version: '1.0.0', tools: [tool('a', '1'), tool('b', '9', 'machine'), tool('c', '3', 'configuration')] })).toEqual([]);
  expect(recordComplaints(kept, { version: '1.0.0', tools: [tool('a', '7'), tool('b', '2'), tool('e', '5')] })).toEqual(['not in the record: e', 'in the record and not said: c', 'declared otherwise than in the record: a']);
  expect(recordComplaints(kept, { version: '1.0.0', tools: [tool('a', '1', 'machine'), tool('b', '2', 'machine'), tool('c', '8', 'configuration')] })).toEqual(['declared otherwise than in the record: c', 'not the same everywhere, and not marked so: a']);
  expect(recordComplaints(kept, { version: '2.0.0', tools: [] })).toEqual([]);
});
