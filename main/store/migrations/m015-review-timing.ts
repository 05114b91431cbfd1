/** What a review says of time and repeats: the class of calls, and the argument that carries a key against repeats. NULL: nothing was reviewed of it. */
export const m015ReviewTiming = {
  version: 15,
  name: 'review_timing',
  sql: `
ALTER TABLE reviews ADD COLUMN call_class TEXT;
ALTER TABLE reviews ADD COLUMN idempotency_json TEXT;
`,
} as const;
