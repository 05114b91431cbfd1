import { fault, type Fault } from '../../shared/fault.ts';
import type { Model } from '../../shared/model.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { withKey, type ChosenModel } from '../agent/choose-model.ts';
import { tryModel } from '../agent/try-model.ts';
import type { Bus } from '../bus.ts';
import { routeOf } from '../capabilities/routes/route-of.ts';
import type { Clock } from '../clock.ts';
import type { Outbound } from '../network/outbound.ts';
import { orderedId } from '../ordered-id.ts';
import { HOST_SECRETS } from '../secrets/host-secrets.ts';
import { maskTried } from '../secrets/mask-tried.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Store } from '../store/database.ts';
import { deleteModel, getModel, listModels, NO_MODEL_LIMITS, putModelInUse, readModel, writeModel, type ModelRow } from '../store/models.ts';
import type { ParsedInputOf } from '../../shared/contract/contract.ts';
import { endpointMisfit } from './endpoint-misfit.ts';
import type { HandlersOf } from './handlers.ts';

export interface ModelsRequestsDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly outbound: Outbound;
}

/** The id of the first model, and of the only one that there was before several could be kept. */
const FIRST_ID = 'default';
const MOST_MODELS = 100;

const viewOf = (row: ModelRow): Model => ({
  id: row.id, label: row.label === '' ? row.model : row.label, provider: row.provider, baseUrl: row.baseUrl, model: row.model, routeId: row.route ?? routeOf(row), routeSet: row.route !== null,
  hasKey: row.keyRef !== null, isDefault: row.inUse, prices: row.prices, limits: row.limits, setAt: row.setAt,
});
const unknownModel = (field = '/id'): Fault => fault('not_found', 'There is no such model.', { field });
const placeOf = (id: string): string => (id === FIRST_ID ? 'model.key' : `model.key.${id}`);

export const modelsRequests = ({ store, secrets, clock, bus, outbound }: ModelsRequestsDeps): HandlersOf<'models'> => {
  const told = <T>(value: T): Result<T, Fault> => {
    bus.emit('models:changed', {});
    return ok(value);
  };
  /** The row that is changed; null where one is added. */
  const before = (id: string | null | undefined): Result<ModelRow | null, Fault> => {
    if (id === null) return ok(null);
    const row = store.read((db) => (id === undefined ? readModel(db) : getModel(db, id)));
    return row === null && id !== undefined ? err(unknownModel()) : ok(row);
  };
  const set = (input: ParsedInputOf<'models:set'>): Result<{ id: string }, Fault> => {
    const misfit = endpointMisfit(input);
    if (misfit !== null) return err(misfit);
    const found = before(input.id);
    if (!found.ok) return found;
    const row = found.value;
    const count = store.read(listModels).length;
    if (row === null && count >= MOST_MODELS) return err(fault('conflict', `More than ${MOST_MODELS} models are not kept.`, { remedy: 'Remove one.' }));
    const id = row?.id ?? (count === 0 ? FIRST_ID : orderedId(clock.now()));
    // a key goes to the address it was given for, and to no other
    let keyRef = row?.baseUrl === input.baseUrl && input.key !== null ? row.keyRef : null;
    if (typeof input.key === 'string') {
      const sealed = secrets.put({ serverId: HOST_SECRETS, place: placeOf(id), value: input.key });
      if (!sealed.ok) return { ok: false, error: { ...sealed.error, field: '/key' } };
      keyRef = sealed.value;
    }
    store.write((db) => {
      writeModel(db, {
        id, label: input.label ?? row?.label ?? '', provider: input.provider, baseUrl: input.baseUrl, model: input.model, keyRef, route: input.route ?? null,
        prices: input.prices === undefined ? (row?.prices ?? null) : input.prices, limits: input.limits ?? row?.limits ?? NO_MODEL_LIMITS, inUse: false, setAt: clock.now(),
      });
      if (readModel(db) === null) putModelInUse(db, id);
    });
    if (row?.keyRef && row.keyRef !== keyRef) secrets.remove(row.keyRef);
    return told({ id });
  };
  /** What is tried: a kept model, or a draft, with the key of the one it would change where it brings none. */
  const candidate = ({ id, draft }: ParsedInputOf<'models:test'>): Result<ChosenModel, Fault> => {
    const row = store.read((db) => (id === undefined ? (draft === undefined ? readModel(db) : null) : getModel(db, id)));
    if (id !== undefined && row === null) return err(unknownModel());
    if (draft === undefined) return row === null ? err(unknownModel()) : withKey(row, secrets);
    const kept = row !== null && row.baseUrl === draft.baseUrl && draft.key === undefined ? withKey(row, secrets) : ok(null);
    if (!kept.ok) return kept;
    const { provider, baseUrl, model } = draft;
    return ok({ id: id ?? '', provider, baseUrl, model, key: draft.key ?? kept.value?.key ?? null, routeId: draft.route ?? routeOf(draft), prices: draft.prices ?? null, limits: draft.limits ?? NO_MODEL_LIMITS });
  };
  return {
    'models:list': () => ok({ models: store.read(listModels).map(viewOf) }),
    'models:get': () => {
      const row = store.read(readModel);
      return ok({ model: row && { provider: row.provider, baseUrl: row.baseUrl, model: row.model, routeId: row.route ?? routeOf(row), routeSet: row.route !== null, hasKey: row.keyRef !== null } });
    },
    'models:set': set,
    'models:remove': ({ id }) => {
      const row = store.read((db) => getModel(db, id));
      if (row === null) return err(unknownModel());
      store.write((db) => deleteModel(db, id));
      if (row.keyRef) secrets.remove(row.keyRef);
      return told({});
    },
    'models:use': ({ id }) => (store.write((db) => putModelInUse(db, id)) ? told({}) : err(unknownModel())),
    'models:test': async (input) => {
      const misfit = input.draft === undefined ? null : endpointMisfit(input.draft, '/draft');
      if (misfit !== null) return err(misfit);
      const chosen = candidate(input);
      return chosen.ok ? ok(await tryModel(chosen.value, { outbound, mask: maskTried(secrets, chosen.value.key), monotonic: () => clock.monotonic() })) : chosen;
    },
  };
};
