/** The registry that an app was installed from; NULL for what was installed before. */
export const m011InstalledFrom = {
  version: 11,
  name: 'installed_from',
  sql: `ALTER TABLE installations ADD COLUMN registry TEXT;`,
} as const;
