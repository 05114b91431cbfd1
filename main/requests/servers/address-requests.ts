import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { ServerPool } from '../../servers/pool.ts';
import { deleteAddressAgreements, saveAddressAgreement } from '../../store/address-agreements.ts';
import type { HandlersOf } from '../handlers.ts';
import type { Contact } from '../../../shared/outbound.ts';
import type { Clock } from '../../clock.ts';
import type { Store } from '../../store/database.ts';
import type { ServerRow } from '../../store/servers.ts';

interface AddressRequestsDeps {
  readonly pool: ServerPool;
  readonly store: Store;
  readonly clock: Clock;
  readonly contacts: () => readonly Contact[];
  readonly withRow: <T>(serverId: string, then: (row: ServerRow) => Result<T, Fault> | Promise<Result<T, Fault>>) => Promise<Result<T, Fault>>;
}

type AddressNames = 'servers:agree-address' | 'servers:contacted';

/** Where a server's address leads, and whom the host contacted for it. */
export const addressRequests = ({ pool, store, clock, contacts, withRow }: AddressRequestsDeps): Pick<HandlersOf<'servers'>, AddressNames> => ({
  'servers:agree-address': ({ serverId, host, kind }) =>
    withRow(serverId, async ({ spec }) => {
      if (spec.kind !== 'http' || new URL(spec.url).hostname !== host) {
        return err(fault('invalid_request', `${host} is not the name at which this server is reached.`, { field: '/host', remedy: 'Agree to the name that the refusal gives (details.host).', details: spec.kind === 'http' ? { host: new URL(spec.url).hostname } : {} }));
      }
      if (kind === null) store.writeDurable((db) => deleteAddressAgreements(db, serverId, host));
      else store.writeDurable((db) => saveAddressAgreement(db, serverId, { host, kind, agreedAt: clock.now() }));
      // what stands was made under the other rule
      await pool.suspend(serverId);
      return ok(await pool.connect(serverId));
    }),
  'servers:contacted': ({ serverId }) => withRow(serverId, () => ok({ contacted: contacts().filter((one) => one.serverId === serverId) })),
});
