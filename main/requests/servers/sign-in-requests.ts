import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { redirectAddress } from '../../network/loopback-callback.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { ServerPool } from '../../servers/pool.ts';
import type { ServerRow } from '../../store/servers.ts';
import type { HandlersOf } from '../handlers.ts';

interface SignInRequestsDeps {
  readonly pool: ServerPool;
  readonly secrets: Pick<Secrets, 'status'>;
  readonly withRow: <T>(serverId: string, then: (row: ServerRow) => Result<T, Fault> | Promise<Result<T, Fault>>) => Promise<Result<T, Fault>>;
}

type SignInNames = 'servers:sign-in' | 'servers:sign-in-cancel' | 'servers:sign-out' | 'servers:sign-in-client';

export const signInRequests = ({ pool, secrets, withRow }: SignInRequestsDeps): Pick<HandlersOf<'servers'>, SignInNames> => {
  /** A sign-in whose tokens nothing can keep would be lost when it ends. */
  const cannotKeep = (): Fault | null => {
    const { state } = secrets.status();
    if (state === 'ready') return null;
    return state === 'unavailable'
      ? fault('secret_store_unavailable', 'This computer offers no place that can keep a sign-in; none was begun.', { remedy: 'Set a passphrase in Settings.' })
      : fault('secret_store_locked', 'The secret store is not open, and a sign-in is kept in it; none was begun.', { remedy: 'Give the passphrase in Settings, or by secrets:unlock {"passphrase": "..."}.' });
  };
  return {
    'servers:sign-in': ({ serverId, agree, wait }) =>
      withRow(serverId, async () => {
        const locked = cannotKeep();
        if (locked !== null) return err(locked);
        const begun = await pool.signIns.begin(serverId, agree === undefined ? undefined : new URL(agree).origin);
        if (!begun.ok) return begun;
        const { pending, done } = begun.value;
        if (wait) {
          const ended = await done;
          if (!ended.ok) return ended;
        }
        const status = pool.status(serverId);
        return ok({ pending, state: status.state, ...(status.state === 'unavailable' ? { code: status.code, fault: status.fault } : {}) });
      }),
    'servers:sign-in-cancel': ({ serverId }) =>
      withRow(serverId, () => {
        pool.signIns.of(serverId).cancel();
        return ok({});
      }),
    'servers:sign-out': ({ serverId }) => withRow(serverId, async () => ok(await pool.signIns.signOut(serverId))),
    'servers:sign-in-client': ({ serverId, client }) =>
      withRow(serverId, ({ spec }) => {
        if (spec.kind !== 'http') return err(fault('invalid_request', 'This server is a program on this computer; there is no signing in to it.', { field: '/serverId' }));
        const locked = client?.clientSecret === undefined ? null : cannotKeep();
        if (locked !== null) return err({ ...locked, field: '/client/clientSecret' });
        const port = client?.port ?? null;
        const done = pool.signIns.of(serverId).setClient(client === null ? null : { clientId: client.clientId, secret: client.clientSecret?.secret ?? null, port });
        return done.ok ? ok({ redirectAddress: redirectAddress(port) }) : done;
      }),
  };
};
