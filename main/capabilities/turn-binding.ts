import type { BindingPart } from '../../shared/binding-parts.ts';
import type { Definition } from '../../shared/capability.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { definitionChanges } from './definition-changes.ts';

/**
 * What a turn binds a model-visible name to, part by part (design section 2: definition, server, launch, server instructions, review). `fingerprint` covers
 * all of them and is what the frozen input hash holds; the parts say which of them moved.
 */
export interface TurnBinding {
  readonly fingerprint: string;
  /** as the server declares it */
  readonly definition: Definition;
  readonly definitionFingerprint: string;
  readonly launchFingerprint: string;
  /** SHA-256 of the words the server gave with its handshake; null: it gave none */
  readonly instructionsFingerprint: string | null;
  /** null: nobody reviewed it */
  readonly reviewVersion: string | null;
}

export interface Drift {
  readonly moved: readonly BindingPart[];
  /** of the definition: description, inputSchema, annotations and the like */
  readonly fields: readonly string[];
}

/** What is another now than it was bound to. `present`: null where the capability is not offered any more. */
export const driftOf = (bound: TurnBinding, present: TurnBinding | null): Drift => {
  if (present === null) return { moved: ['gone'], fields: [] };
  const moved: BindingPart[] = [];
  if (bound.definitionFingerprint !== present.definitionFingerprint) moved.push('definition');
  if (bound.launchFingerprint !== present.launchFingerprint) moved.push('launch');
  if (bound.instructionsFingerprint !== present.instructionsFingerprint) moved.push('instructions');
  // a review is of one definition: another definition has another, which says nothing
  if (bound.reviewVersion !== present.reviewVersion && !moved.includes('definition')) moved.push('review');
  const changes = moved.includes('definition') ? definitionChanges(bound.definition, present.definition) : [];
  return { moved, fields: [...new Set(changes.map(({ field }) => field.split('#')[0]!))] };
};

const FIELD_WORDS: Readonly<Record<string, string>> = { inputSchema: 'input schema', outputSchema: 'output schema', meta: 'metadata', mimeType: 'media type' };

const partWords = (part: BindingPart, fields: readonly string[]): string => {
  switch (part) {
    case 'gone':
      return 'its server does not offer it any more';
    case 'definition':
      return `its definition changed (${fields.map((field) => FIELD_WORDS[field] ?? field).join(', ') || 'in form only'})`;
    case 'launch':
      return 'what its server runs, or the address, changed';
    case 'instructions':
      return 'the instructions of its server changed';
    case 'review':
      return 'its review changed';
  }
};

/** `standing`: what stands against using the capability as it is now; null: nothing does. */
const remedyOf = (drift: Drift, standing: Fault | null): string => {
  if (drift.moved.includes('gone')) return 'Use what the next request shows, or say what is missing. No other tool takes its place by itself.';
  if (standing === null) return 'The next request shows the tool as it is now: read it there, and call again if it still fits.';
  if (standing.code === 'not_allowed') return 'A person has to review and allow the tool as it is now before it can be used again. Go on without it, or say that it is needed.';
  if (standing.code === 'schema_excluded') return 'As it is now it cannot be used. Go on without it, or say that it is needed.';
  return 'It can be used again when its server is ready; the next request shows whether it is.';
};

/** Error `binding_changed`: what moved in words (`details.moved`, `details.fields`), what to do, and how the capability stands now (`details.now`). */
export const bindingChanged = (drift: Drift, standing: Fault | null): Fault => {
  const reason = standing === null ? 'usable' : (standing.details?.['reason'] ?? standing.code);
  return fault('binding_changed', `The tool is not what this turn was shown: ${drift.moved.map((part) => partWords(part, drift.fields)).join('; ') || 'its binding is another one'}. Nothing was sent.`, {
    remedy: remedyOf(drift, standing),
    details: { moved: [...drift.moved], fields: [...drift.fields], now: reason },
  });
};
