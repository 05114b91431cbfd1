import type { ReactElement } from 'react';
import type { Invocation } from '../../shared/call.ts';
import { tellingArguments } from '../../shared/telling-arguments.ts';
import { UntrustedText } from './UntrustedText.tsx';

/** A resource that is no template is told by its own address. */
const ofCall = ({ capabilityId, frozenInput }: Pick<Invocation, 'capabilityId' | 'frozenInput'>): string => (/^mcp:[^:]+:resource:[^{]*$/.test(capabilityId) ? '' : tellingArguments(frozenInput));

/** What tells a call from another one of its tool, in a line: of its frozen input, or as the host told it. */
export const Telling = (of: { readonly call: Pick<Invocation, 'capabilityId' | 'frozenInput'> } | { readonly told: string }): ReactElement | null => {
  const text = 'told' in of ? of.told : ofCall(of.call);
  return text === '' ? null : <span className="g-fine g-muted" data-telling><UntrustedText text={text} maxLength={120} /></span>;
};
