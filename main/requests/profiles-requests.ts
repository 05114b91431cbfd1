import { randomBytes } from 'node:crypto';
import { DEFAULT_PROFILE } from '../../shared/agent-profile.ts';
import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import { asProfile, defaultProfile, principalOf, profileOf } from '../agent/profiles.ts';
import { noPrice } from '../agent/run-budget.ts';
import type { Bus } from '../bus.ts';
import type { CapabilityRegistry } from '../capabilities/registry.ts';
import type { Clock } from '../clock.ts';
import { deleteProfile, getProfile, listProfiles, writeProfile } from '../store/agent-profiles.ts';
import type { Store } from '../store/database.ts';
import { getModel, readModel } from '../store/models.ts';
import { onRecord, type HandlersOf } from './handlers.ts';

const MOST_PROFILES = 100;

/** As a principal may name it; a name without Latin letters has a number of its own. */
const idFor = (name: string, isTaken: (id: string) => boolean): string => {
  const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 30).replace(/-+$/, '');
  for (let id = plain; ; id = `${plain || 'profile'}-${randomBytes(3).toString('hex')}`) if (id !== '' && !isTaken(id)) return id;
};

export const profilesRequests = ({ store, registry, clock, bus }: { readonly store: Store; readonly registry: CapabilityRegistry; readonly clock: Clock; readonly bus: Bus }): HandlersOf<'profiles'> => ({
  'profiles:list': () => {
    const rows = store.read(listProfiles);
    return ok({ profiles: [...(rows[0]?.id === DEFAULT_PROFILE ? [] : [defaultProfile()]), ...rows.map(asProfile)] });
  },
  'profiles:set': async (input, caller) => {
    const known = input.id === undefined ? null : profileOf(input.id, store);
    if (known?.ok === false) return { ok: false, error: { ...known.error, field: '/id' } };
    if (input.modelId && store.read((db) => getModel(db, input.modelId!)) === null) return err(fault('not_found', 'There is no such model.', { field: '/modelId' }));
    if (known === null && store.read(listProfiles).length >= MOST_PROFILES) return err(fault('conflict', `More than ${MOST_PROFILES} profiles are not kept.`, { remedy: 'Remove one.' }));
    const before = known?.value ?? defaultProfile();
    const id = input.id ?? idFor(input.name ?? '', (one) => one === DEFAULT_PROFILE || store.read((db) => getProfile(db, one)) !== null);
    const row = {
      id, name: input.name ?? before.name, modelId: input.modelId === undefined ? before.modelId : input.modelId, instructions: input.instructions ?? before.instructions,
      scope: input.scope === undefined ? before.scope : input.scope, limits: input.limits ?? before.limits, setAt: clock.now(),
    };
    const model = store.read((db) => (row.modelId === null ? null : getModel(db, row.modelId)) ?? readModel(db));
    if (row.limits.money !== null && model !== null && model.prices === null && (input.limits ?? input.modelId) !== undefined) return err(noPrice(row.limits.money, '/limits/money'));
    store.write((db) => writeProfile(db, row));
    bus.emit('models:changed', {});
    const principal = principalOf(id);
    const like = input.accessLike;
    const set = like === undefined || like === principal ? null : await registry.setAccessOfMany({ principal, capabilityIds: registry.list().flatMap((c) => (c.grantedTo.includes(like) ? [c.id] : [])), allowed: true }, onRecord(caller));
    if (set?.ok === false) return set;
    return ok({ profile: asProfile(row), granted: set?.value.changed ?? 0 });
  },
  'profiles:remove': async ({ id }, caller) => {
    if (id === DEFAULT_PROFILE) return err(fault('conflict', 'The built-in agent is always there.', { field: '/id', remedy: 'Empty its instructions and scope instead.' }));
    if (store.read((db) => getProfile(db, id)) === null) return err(fault('not_found', 'There is no such profile.', { field: '/id' }));
    const principal = principalOf(id);
    // first: another profile of the same name gets the same id, and must inherit nothing
    const taken = await registry.setAccessOfMany({ principal, capabilityIds: registry.list().flatMap((c) => (c.grantedTo.includes(principal) ? [c.id] : [])), allowed: false }, onRecord(caller));
    if (!taken.ok) return taken;
    store.write((db) => deleteProfile(db, id));
    bus.emit('models:changed', {});
    return ok({});
  },
});
