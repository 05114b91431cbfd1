import { expect, test } from 'vitest';
import { AttachmentSchema } from '../../../shared/attachment.ts';
import { asAttachment, withResource, type AttachedResource } from './attached.ts';

const RULES: AttachedResource = { capabilityId: 'mcp:library:resource:book://rules', name: 'rules', serverId: 'library', input: {} };
const BY: AttachedResource = { capabilityId: 'mcp:library:resource:book://by/{author}{?page}', name: 'by author', serverId: 'library', input: { author: 'Bob', page: '2' } };

test('AP11 a resource goes along once; a template once for each filling, whatever the order of its fields', () => {
  expect(withResource([RULES], { ...RULES, name: 'another name' })).toEqual([RULES]);
  expect(withResource([BY], { ...BY, input: { page: '2', author: 'Bob' } })).toEqual([BY]);
  expect(withResource([RULES, BY], { ...BY, input: { author: 'Alice' } })).toHaveLength(3);
});

test('AP11 what is sent of it is what the contract takes: variables of a template alone', () => {
  expect(asAttachment(RULES)).toEqual({ kind: 'resource', capabilityId: RULES.capabilityId });
  expect(AttachmentSchema.parse(asAttachment(BY))).toEqual({ kind: 'resource', capabilityId: BY.capabilityId, input: { author: 'Bob', page: '2' } });
});
