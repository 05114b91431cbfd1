import { expect, test } from 'vitest';
import { halvesOf, textOf } from './definition-text.ts';

test('EM02 of a tool go out its name, title, description and the names of its parameters, bounded and without what nobody sees', () => {
  const tool = {
    name: 'repo.createPullRequest_v2', title: 'Open a pull request', description: 'Opens a pull\u200b request.\u{E0041}\u0007 Twice.',
    inputSchema: { type: 'object', properties: { targetBranch: { type: 'string', description: 'never told', default: 'https://never.example' } } }, _meta: { never: 'told' },
  };
  expect(textOf(tool)).toBe('repo create Pull Request v2. Open a pull request. Opens a pull request. Twice.. target Branch');
  expect(textOf({ name: 'x'.repeat(9_000), description: '描述'.repeat(9_000) }).length).toBe(2_000);
  expect(textOf({ name: 'x', inputSchema: { properties: 'odd' } })).toBe('x');
});

test('EM04 a description is halved at the end of a sentence; one that is too short is not', () => {
  const { lead, rest } = halvesOf({ name: 'x', description: 'Lists all the invoices of a customer. What comes back are bills with their dates.' })!;
  expect([lead.description, rest]).toEqual(['Lists all the invoices of a customer.', 'What comes back are bills with their dates.']);
  expect(halvesOf({ name: 'x', description: '列出某位客户的所有发票。返回账单及其日期与金额。' })).toMatchObject({ rest: '返回账单及其日期与金额。' });
  expect(halvesOf({ name: 'x', description: 'Lists invoices.' })).toBeNull();
  expect(halvesOf({ name: 'x' })).toBeNull();
});
