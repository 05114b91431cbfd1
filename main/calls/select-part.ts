import { followPointer } from '../evidence/follow-pointer.ts';

/** What became of a caller's `select`. */
export type Selection =
  | { readonly state: 'given'; readonly select: string }
  | { readonly state: 'leads_nowhere'; readonly select: string; readonly missing: string; readonly names: readonly string[] }
  | { readonly state: 'no_structure' | 'not_applied' | 'not_at_hand'; readonly select: string };

export interface SelectedPart {
  readonly selection: Selection;
  /** of a selection that is given */
  readonly value: unknown;
}

/** The part of the structured content that a JSON Pointer (RFC 6901) names; `structured`: undefined where the tool gave none. */
export const selectPart = (structured: unknown, select: string): SelectedPart => {
  if (structured === undefined) return { selection: { state: 'no_structure', select }, value: undefined };
  const followed = followPointer(structured, select);
  if (followed.found) return { selection: { state: 'given', select }, value: followed.value };
  return { selection: { state: 'leads_nowhere', select, missing: followed.missing, names: followed.names }, value: undefined };
};
