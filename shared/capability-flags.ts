/** What the host remarks on a definition's text, for a reader; a flag grants and refuses nothing. The first eight: characters that cannot be seen. */
export const CAPABILITY_FLAGS = [
  'bidi', 'zero_width', 'tag_characters', 'ansi', 'control', 'invisible', 'variation_selectors', 'not_text',
  'instruction_text', 'long_text', 'mixed_scripts', 'contradicting_hints', 'unknown_required', 'confusable_name', 'same_name', 'duplicate_name', 'names_other_server', 'definition_returned', 'unstable_definition',
] as const;
export type CapabilityFlagCode = (typeof CAPABILITY_FLAGS)[number];
