import { z } from 'zod';
import { OutboundPurposeSchema, type Contact } from '../../shared/outbound.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readableRows } from './readable-rows.ts';

const RowSchema = z.object({ purpose: OutboundPurposeSchema, host: z.string(), port: z.number(), via: z.string().nullable(), server_id: z.string().nullable(), address: z.string().nullable(), count: z.number(), last_at: z.number() });
const parseRow = (raw: unknown): Contact => {
  const { server_id: serverId, last_at: lastAt, ...row } = RowSchema.parse(raw);
  return { ...row, serverId, lastAt };
};

/** What makes a contact another one. */
export const placeOfContact = ({ purpose, host, port, via, serverId }: Pick<Contact, 'purpose' | 'host' | 'port' | 'via' | 'serverId'>): string => JSON.stringify([purpose, host, port, via, serverId]);

/** The one contacted longest ago first. Those of servers that are none any more are left out. */
export const listContacts = (db: ReadDb): readonly Contact[] =>
  readableRows(db.all('SELECT * FROM contacts WHERE server_id IS NULL OR server_id IN (SELECT id FROM servers) ORDER BY last_at, place'), parseRow);

/** Takes over the contacts as they are now; what is gone goes. */
export const saveContacts = (db: WriteDb, changed: readonly Contact[], gone: readonly string[]): void => {
  for (const place of gone) db.run('DELETE FROM contacts WHERE place = ?', [place]);
  for (const contact of changed) {
    const { purpose, host, port, via, serverId, address, count, lastAt } = contact;
    db.run('INSERT OR REPLACE INTO contacts (place, purpose, host, port, via, server_id, address, count, last_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', [placeOfContact(contact), purpose, host, port, via, serverId, address, count, lastAt]);
  }
};
