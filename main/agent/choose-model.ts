import { fault, type Fault } from '../../shared/fault.ts';
import type { ModelLimits, Prices } from '../../shared/model.ts';
import type { RouteId } from '../../shared/rendering.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { routeOf } from '../capabilities/routes/route-of.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Store } from '../store/database.ts';
import { getModel, readModel, type ModelRow } from '../store/models.ts';
import type { ModelConfiguration } from './model-adapter.ts';

/** The model of one run, with its key. */
export interface ChosenModel extends ModelConfiguration {
  readonly id: string;
  readonly routeId: RouteId;
  readonly prices: Prices | null;
  readonly limits: ModelLimits;
}

/** The configuration of a row with its key. Errors: those of the secret store. */
export const withKey = (row: ModelRow, secrets: Pick<Secrets, 'reveal'>): Result<ChosenModel, Fault> => {
  const key = row.keyRef === null ? ok(null) : secrets.reveal(row.keyRef);
  if (!key.ok) return key;
  const { id, provider, baseUrl, model, prices, limits } = row;
  return ok({ id, provider, baseUrl, model, prices, limits, key: key.value, routeId: row.route ?? routeOf(row) });
};

/**
 * `named`: the id of a configured model, or another model's name at the provider in use, of which neither prices nor limits are known. Else the profile's,
 * else the one in use. Errors: no_model, those of the secret store.
 */
export const chooseModel = (named: string | undefined, profileModelId: string | null, { store, secrets }: { readonly store: Store; readonly secrets: Pick<Secrets, 'reveal'> }): Result<ChosenModel, Fault> => {
  const byId = named === undefined ? null : store.read((db) => getModel(db, named));
  if (byId) return withKey(byId, secrets);
  const own = named === undefined && profileModelId !== null ? store.read((db) => getModel(db, profileModelId)) : null;
  const row = own ?? store.read(readModel);
  if (!row) return err(fault('no_model', 'No model is configured.', { remedy: 'Set one with models:set.' }));
  if (named === undefined || named === row.model) return withKey(row, secrets);
  return withKey({ ...row, model: named, route: row.route, prices: null, limits: { contextTokens: null, maxOutputTokens: null } }, secrets);
};
