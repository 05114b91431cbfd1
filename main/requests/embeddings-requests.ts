import type { Embeddings } from '../../shared/embeddings.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { EmbeddingSlot } from '../agent/embeddings/embedding-slot.ts';
import { spaceName } from '../agent/embeddings/embedding-slot.ts';
import { tryEmbeddings } from '../agent/embeddings/try-embeddings.ts';
import type { Bus } from '../bus.ts';
import type { Clock } from '../clock.ts';
import type { Outbound } from '../network/outbound.ts';
import { isLoopbackHost } from '../network/proxy-route.ts';
import { HOST_SECRETS } from '../secrets/host-secrets.ts';
import { maskTried } from '../secrets/mask-tried.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Store } from '../store/database.ts';
import { deleteEmbeddings, readEmbeddings, writeEmbeddings, type EmbeddingsRow } from '../store/embeddings.ts';
import { readSpace } from '../store/embedding-vectors.ts';
import type { ParsedInputOf } from '../../shared/contract/contract.ts';
import { endpointMisfit } from './endpoint-misfit.ts';
import type { HandlersOf } from './handlers.ts';

export interface EmbeddingsRequestsDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly outbound: Outbound;
  readonly slot: Pick<EmbeddingSlot, 'status' | 'changed' | 'forgetUnfit'>;
}

const KEY_PLACE = 'embeddings.key';

const viewOf = ({ provider, baseUrl, model, dimensions, keyRef, enabled, setAt }: EmbeddingsRow): Embeddings => ({ provider, baseUrl, model, dimensions, hasKey: keyRef !== null, enabled, isLocal: isLoopbackHost(new URL(baseUrl).hostname), setAt });
const unset = (): Fault => fault('not_found', 'No embeddings endpoint is set.', { remedy: 'Set one with embeddings:set, with provider, baseUrl and model.' });

export const embeddingsRequests = ({ store, secrets, clock, bus, outbound, slot }: EmbeddingsRequestsDeps): HandlersOf<'embeddings'> => {
  const read = (): EmbeddingsRow | null => store.read(readEmbeddings);
  const told = (): Result<Record<string, never>, Fault> => {
    slot.changed();
    bus.emit('embeddings:changed', {});
    return ok({});
  };
  const set = (input: ParsedInputOf<'embeddings:set'>): Result<Record<string, never>, Fault> => {
    const misfit = endpointMisfit(input);
    if (misfit !== null) return err(misfit);
    const row = read();
    const provider = input.provider ?? row?.provider;
    const baseUrl = input.baseUrl ?? row?.baseUrl;
    const model = input.model ?? row?.model;
    if (provider === undefined || baseUrl === undefined || model === undefined) return err({ ...unset(), field: provider === undefined ? '/provider' : baseUrl === undefined ? '/baseUrl' : '/model' });
    // a key goes to the address it was given for, and to no other
    let keyRef = row?.baseUrl === baseUrl && input.key !== null ? row.keyRef : null;
    if (typeof input.key === 'string') {
      const sealed = secrets.put({ serverId: HOST_SECRETS, place: KEY_PLACE, value: input.key });
      if (!sealed.ok) return { ok: false, error: { ...sealed.error, field: '/key' } };
      keyRef = sealed.value;
    }
    slot.forgetUnfit();
    store.write((db) => writeEmbeddings(db, { provider, baseUrl, model, keyRef, dimensions: input.dimensions === undefined ? (row?.dimensions ?? null) : input.dimensions, enabled: input.enabled ?? row?.enabled ?? true, setAt: clock.now() }));
    if (row?.keyRef && row.keyRef !== keyRef) secrets.remove(row.keyRef);
    return told();
  };
  return {
    'embeddings:get': () => ok({ embeddings: ((row) => row && viewOf(row))(read()), status: slot.status() }),
    'embeddings:set': set,
    'embeddings:retry': () => (read() === null ? err(unset()) : told()),
    'embeddings:remove': () => {
      const row = read();
      store.write(deleteEmbeddings);
      if (row?.keyRef) secrets.remove(row.keyRef);
      return told();
    },
    'embeddings:test': async ({ draft }) => {
      const misfit = draft === undefined ? null : endpointMisfit(draft, '/draft');
      if (misfit !== null) return err(misfit);
      const row = read();
      if (row === null && draft === undefined) return err(unset());
      const { baseUrl, model, dimensions = null } = draft ?? row!;
      const keptRef = row !== null && row.baseUrl === baseUrl && draft?.key === undefined ? row.keyRef : null;
      const kept = keptRef === null ? ok(null) : secrets.reveal(keptRef);
      if (!kept.ok) return kept;
      const space = store.read((db) => readSpace(db, spaceName({ baseUrl, model, dimensions })));
      const key = draft?.key ?? kept.value;
      return ok(await tryEmbeddings({ baseUrl, model, dimensions, key }, { outbound, mask: maskTried(secrets, key), monotonic: () => clock.monotonic(), dimension: space?.dimension ?? null }));
    },
  };
};
