import { expect, test } from 'vitest';
import { hasPage } from './has-page.ts';

test('U153 a capability is named as a link to its page, and what has no page without one', () => {
  expect(['mcp:lab:tool:rows', 'mcp:lab:resource:file:///a', 'mcp:host:tool:read_result', 'unknown:lab__gone', 'lab__gone', ''].map(hasPage)).toEqual([true, true, false, false, false, false]);
});
