import { withoutHiddenText } from '../capabilities/hidden-text.ts';
import type { OutputOf } from '../../shared/contract/contract.ts';

type Outcome = OutputOf<'calls:try'>;

/** What the model receives of one call: class and facts first, the server's words after, marked as such (design section 5). Never a guess. */
export const outcomeText = (outcome: Outcome): string => {
  const text = wholeText(outcome);
  const shown = withoutHiddenText(text);
  // the words of a server may hide others from a person: the model gets what a person sees (C098)
  return shown === text ? text : `${shown}\n(characters that a reader does not see were left out)`;
};

const wholeText = (outcome: Outcome): string => {
  const head: Record<string, unknown> = { class: outcome.class ?? outcome.state };
  if (outcome.code) head['code'] = outcome.code;
  if (outcome.fault) {
    head['fact'] = outcome.fault.message;
    if (outcome.fault.field) head['field'] = outcome.fault.field;
    if (outcome.fault.remedy) head['remedy'] = outcome.fault.remedy;
  }
  const { result } = outcome;
  if (!result) return JSON.stringify(head);
  head['source'] = { server: result.source.serverId, capability: result.source.capabilityId };
  const body = {
    ...(outcome.class === 'ok_empty' && result.structuredContent === undefined ? { content: '(empty result)' } : { content: result.content.map(textOf) }),
    ...(result.structuredContent === undefined ? {} : { structuredContent: result.structuredContent }),
    ...(Object.keys(result.extra).length > 0 ? { extra: result.extra } : {}),
  };
  return `${JSON.stringify(head)}\n${result.isError ? 'The server says (untrusted):\n' : ''}${JSON.stringify(body)}`;
};

/** Binary blocks are named, not sent: routes for images come with their own issue. */
const textOf = (block: Readonly<Record<string, unknown>>): unknown =>
  block['type'] === 'text' ? block['text'] : typeof block['data'] === 'string' ? { type: block['type'], mimeType: block['mimeType'], bytes: Math.floor((block['data'].length * 3) / 4) } : block;
