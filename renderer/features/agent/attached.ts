import type { ReactNode } from 'react';
import type { Attachment } from '../../../shared/attachment.ts';
import type { TextArgument } from '../../parts/text-arguments.ts';

/** A resource that goes along with the next question. `input`: the variables of a template. */
export interface AttachedResource {
  readonly capabilityId: string;
  readonly name: string;
  readonly serverId: string;
  readonly input: Readonly<Record<string, string>>;
}

/** Draws the fields of a template with what its server suggests; another feature knows how. */
export type FieldsSlot = (of: { readonly capabilityId: string; readonly fields: readonly TextArgument[]; readonly label: string; readonly values: Readonly<Record<string, string>>; readonly onChange: (name: string, value: string) => void }) => ReactNode;

/** One resource, and one filling of a template, goes along once. */
export const attachedKey = ({ capabilityId, input }: Pick<AttachedResource, 'capabilityId' | 'input'>): string => JSON.stringify([capabilityId, Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1))]);

export const withResource = (all: readonly AttachedResource[], one: AttachedResource): readonly AttachedResource[] => (all.some((other) => attachedKey(other) === attachedKey(one)) ? all : [...all, one]);

export const asAttachment = ({ capabilityId, input }: AttachedResource): Attachment => ({ kind: 'resource', capabilityId, ...(Object.keys(input).length === 0 ? {} : { input: { ...input } }) });
