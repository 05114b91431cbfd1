/** The way in of a run: window, command or script; NULL where it is not a try-out or was not recorded. */
export const m008RunVia = {
  version: 8,
  name: 'run_via',
  sql: `ALTER TABLE runs ADD COLUMN via TEXT;`,
} as const;
