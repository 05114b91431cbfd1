/** What a window is shown of a result that is too large to be read for it; bound to the chain of evidence by its hash, as the result is. */
export const m006ResultPreviews = {
  version: 6,
  name: 'previews of large results',
  sql: `
CREATE TABLE result_previews (
  invocation_id TEXT PRIMARY KEY REFERENCES invocations(id) ON DELETE CASCADE,
  preview_json TEXT NOT NULL
) STRICT;
`,
} as const;
