import type { Answer } from '../../shared/conversation.ts';

const MARKS: readonly (readonly [RegExp, Answer['ending']])[] = [
  [/^\s*(?:\*\*)?[[【]\s*question\s*[\]】](?:\*\*)?[:：]?\s*/i, 'ask'],
  [/^\s*(?:\*\*)?[[【]\s*insufficient[ _-]evidence\s*[\]】](?:\*\*)?[:：]?\s*/i, 'insufficient_evidence'],
];

/** How a model ends, by the mark that it was told to begin with; the text without it. */
export const endingOf = (text: string): { readonly ending: Answer['ending']; readonly text: string } => {
  for (const [mark, ending] of MARKS) if (mark.test(text)) return { ending, text: text.replace(mark, '') };
  return { ending: 'answer', text };
};
