import { z } from 'zod';
import type { ReadDb, WriteDb } from './database.ts';
import { readRow } from './readable-rows.ts';

/** The client that a person entered for a server whose login server registers none by itself. Bound to the issuer that it was first used with. */
const OwnClientSchema = z.object({ clientId: z.string(), secretRef: z.string().nullable(), port: z.number().nullable(), issuer: z.string().nullable(), tokenEndpoint: z.string().nullable() });
export type OwnClient = z.infer<typeof OwnClientSchema>;

/**
 * What a sign-in came to: whose tokens these are, where they are renewed and revoked, and what for. They are sent to the server's exact address alone, which is kept by
 * its hash: a part of it may be a secret.
 * Times in ms since epoch; `expiresAt` null where the login server did not say.
 */
const AccountSchema = z.object({
  addressSha256: z.string(),
  origin: z.string(),
  issuer: z.string(),
  tokenEndpoint: z.string(),
  revocationEndpoint: z.string().nullable(),
  /** ways to authenticate that the token endpoint offers, and the one that the client was registered with */
  authMethods: z.array(z.string()),
  authMethod: z.string().nullable(),
  resource: z.string().nullable(),
  clientId: z.string(),
  client: z.enum(['own', 'registered', 'document']),
  clientSecretRef: z.string().nullable(),
  /** of the registered redirect address, so that the registration can be used again */
  port: z.number(),
  scopes: z.array(z.string()),
  accessRef: z.string().nullable(),
  refreshRef: z.string().nullable(),
  expiresAt: z.number().nullable(),
  /** of the access token */
  issuedAt: z.number(),
  since: z.number(),
  /** when the tokens went, and why; null while they are there */
  ended: z.object({ at: z.number(), why: z.enum(['signed_out', 'expired', 'refused']) }).nullable(),
});
export type Account = z.infer<typeof AccountSchema>;

export interface SignInRow {
  readonly client: OwnClient | null;
  /** origins outside the server's that a person agreed to ask */
  readonly agreed: readonly string[];
  readonly account: Account | null;
}

const NOTHING: SignInRow = { client: null, agreed: [], account: null };
const RowSchema = z.object({ client_json: z.string().nullable(), agreed_json: z.string(), account_json: z.string().nullable() });

const parseSignIn = (raw: unknown): SignInRow => {
  const row = RowSchema.parse(raw);
  return {
    client: row.client_json === null ? null : OwnClientSchema.parse(JSON.parse(row.client_json)),
    agreed: z.array(z.string()).parse(JSON.parse(row.agreed_json)),
    account: row.account_json === null ? null : AccountSchema.parse(JSON.parse(row.account_json)),
  };
};

/** One that cannot be read is as if the person had never signed in. */
export const readSignIn = (db: ReadDb, serverId: string): SignInRow => {
  const raw = db.get('SELECT client_json, agreed_json, account_json FROM sign_ins WHERE server_id = ?', [serverId]);
  return raw === undefined ? NOTHING : (readRow(raw, parseSignIn) ?? NOTHING);
};

/** Writes the given parts; the others stay. Nothing where the server is gone. */
export const saveSignIn = (db: WriteDb, serverId: string, change: Partial<SignInRow>): void => {
  const { client, agreed, account } = { ...readSignIn(db, serverId), ...change };
  db.run(
    `INSERT INTO sign_ins (server_id, client_json, agreed_json, account_json) SELECT id, ?, ?, ? FROM servers WHERE id = ?
     ON CONFLICT (server_id) DO UPDATE SET client_json = excluded.client_json, agreed_json = excluded.agreed_json, account_json = excluded.account_json`,
    [client === null ? null : JSON.stringify(client), JSON.stringify(agreed), account === null ? null : JSON.stringify(account), serverId],
  );
};
