import { expect, test } from 'vitest';
import { answerCopy } from './answer-copy.ts';

test('AP19 an answer is copied as it was written, with what it cites and what does not hold', () => {
  const call = { name: 'get_versions', serverId: 'environment', invocationId: 'i-1', runId: 'r-1' };
  expect(answerCopy('All **good** [r1] [r9].\n', 'Results it cites', [{ label: 'r1', standing: 'a grounded result', call }, { label: 'r9', standing: 'there is no such result', call: null }])).toBe(
    'All **good** [r1] [r9].\n\nResults it cites\n[r1] environment · get_versions (a grounded result) r-1 i-1\n[r9] (there is no such result)\n',
  );
  expect(answerCopy(' as it is \n', 'Results it cites', [])).toBe(' as it is \n');
});
