/** The person's word that the name of a server's address leads into their own network. `kind` as in shared/address-agreement.ts. */
export const m018AddressAgreements = {
  version: 18,
  name: 'address_agreements',
  sql: `
CREATE TABLE address_agreements (
  server_id TEXT NOT NULL REFERENCES servers(id) ON DELETE CASCADE,
  host TEXT NOT NULL,
  kind TEXT NOT NULL,
  agreed_at INTEGER NOT NULL,
  PRIMARY KEY (server_id, host, kind)
) STRICT, WITHOUT ROWID;
`,
} as const;
