import { z } from 'zod';
import { AgreeableKindSchema, type AddressAgreement, type AgreeableKind } from '../../shared/address-agreement.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readableRows } from './readable-rows.ts';

const RowSchema = z.object({ host: z.string(), kind: AgreeableKindSchema, agreed_at: z.number() });
const parseRow = (raw: unknown): AddressAgreement => {
  const { host, kind, agreed_at: agreedAt } = RowSchema.parse(raw);
  return { host, kind, agreedAt };
};

export const readAddressAgreements = (db: ReadDb, serverId: string): readonly AddressAgreement[] =>
  readableRows(db.all('SELECT host, kind, agreed_at FROM address_agreements WHERE server_id = ? ORDER BY agreed_at, host, kind', [serverId]), parseRow);

/** Where the person agreed that the host of this address may lead. */
export const agreedKinds = (db: ReadDb, serverId: string, url: string): readonly AgreeableKind[] => {
  const { hostname } = new URL(url);
  return readAddressAgreements(db, serverId).flatMap(({ host, kind }) => (host === hostname ? [kind] : []));
};

export const saveAddressAgreement = (db: WriteDb, serverId: string, { host, kind, agreedAt }: AddressAgreement): void => {
  db.run('INSERT INTO address_agreements (server_id, host, kind, agreed_at) VALUES (?, ?, ?, ?) ON CONFLICT (server_id, host, kind) DO NOTHING', [serverId, host, kind, agreedAt]);
};

/** How many there were. */
export const deleteAddressAgreements = (db: WriteDb, serverId: string, host: string): number => db.run('DELETE FROM address_agreements WHERE server_id = ? AND host = ?', [serverId, host]);
