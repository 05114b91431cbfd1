import type { Definition } from '../../shared/capability.ts';
import type { Fault } from '../../shared/fault.ts';
import { fault } from '../../shared/fault.ts';
import type { RenderingView, RouteId } from '../../shared/rendering.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { ExposureWishes } from '../agent/exposure.ts';
import { turnTools } from '../agent/turn-tools.ts';
import { isHostFieldUseful } from '../capabilities/host-field.ts';
import type { HostTools } from '../calls/host-tools/host-tools.ts';
import type { CapabilityRegistry } from '../capabilities/registry.ts';
import { ROUTES } from '../capabilities/routes/profiles.ts';
import type { Renderings } from '../capabilities/routes/renderings.ts';
import { routeOf } from '../capabilities/routes/route-of.ts';
import { modelNames } from '../capabilities/routes/tool-names.ts';
import type { Store } from '../store/database.ts';
import { getDefinition } from '../store/definitions.ts';
import { readModel } from '../store/models.ts';
import { deleteRefusals, listRefusals, type RefusalPlace, type RouteRefusal } from '../store/route-refusals.ts';
import type { HandlersOf } from './handlers.ts';

export interface RenderingsRequestsDeps {
  readonly store: Store;
  readonly registry: CapabilityRegistry;
  readonly renderings: Renderings;
  readonly wishes: () => ExposureWishes;
  /** the host's own tools are in no registry */
  readonly hostTools: Pick<HostTools, 'candidate'>;
}

/** What tools look like on a model route, and how many of them reach it. */
export const renderingsRequests = ({ store, registry, renderings, hostTools, wishes }: RenderingsRequestsDeps): HandlersOf<'renderings' | 'funnel'> => {
  const inUse = (): RefusalPlace | null => {
    const model = store.read(readModel);
    return model && { routeId: model.route ?? routeOf(model), baseUrl: model.baseUrl, model: model.model };
  };
  /** Refusals belong to the model in use: on another route nothing is known. */
  const refusalsOn = (routeId: RouteId): readonly RouteRefusal[] => {
    const place = inUse();
    return place?.routeId === routeId ? store.read((db) => listRefusals(db, place)) : [];
  };
  const definitionOf = (capabilityId: string, fingerprint: string | undefined): Result<{ definition: Definition; fingerprint: string }, Fault> => {
    const own = hostTools.candidate(capabilityId);
    if (own.ok) return ok({ definition: own.value.definition, fingerprint: own.value.definitionFingerprint });
    const present = registry.get(capabilityId);
    if (!present.ok) return present;
    if (present.value.kind !== 'tool') return err(fault('not_found', 'Only tools are shown to a model.', { details: { capabilityId } }));
    if (fingerprint === undefined || fingerprint === present.value.definitionFingerprint) return ok({ definition: present.value.definition, fingerprint: present.value.definitionFingerprint });
    const stored = store.read((db) => getDefinition(db, fingerprint));
    return stored ? ok({ definition: stored.definition, fingerprint }) : err(fault('not_found', 'This earlier definition is no longer kept.', { details: { fingerprint } }));
  };

  return {
    'funnel:get': async ({ principal, serverId, route }) => {
      if (route === undefined) return ok(registry.funnel({ principal, serverId }));
      const routeId = routeOf({ provider: route, model: '', baseUrl: '' });
      return ok((await turnTools({ registry, renderings }, { principal, serverId, routeId, refusals: refusalsOn(routeId), wishes: wishes() })).funnel);
    },
    'renderings:get': ({ capabilityId, routeId = inUse()?.routeId ?? 'portable', definitionFingerprint, hostField }) => {
      const found = definitionOf(capabilityId, definitionFingerprint);
      if (!found.ok) return found;
      const { definition, fingerprint } = found.value;
      const refusal = refusalsOn(routeId).find((one) => one.capabilityId === capabilityId && one.definitionFingerprint === fingerprint);
      const made = renderings.of({ definition, definitionFingerprint: fingerprint, ...(refusal ? { routeId: 'plainest' as const } : { routeId, hostField: hostField ?? isHostFieldUseful(definition) }) });
      const setAside = refusal ? { capabilityId, routeId, form: refusal.form, model: refusal.model, status: refusal.status, providerSays: refusal.providerSays, runId: refusal.runId, at: refusal.at } : null;
      const leftOut = refusal?.form === 'set_aside' ? ({ code: 'set_aside', reason: refusal.providerSays } as const) : made.leftOut;
      const view: RenderingView = {
        routeId, state: leftOut ? 'left_out' : made.state, name: modelNames(registry.toolNames(), ROUTES[routeId].names).get(capabilityId) ?? '',
        description: made.description, schema: made.schema, strict: made.strict, steps: [...made.steps], leftOut, setAside,
      };
      return ok({ original: definition, rendering: view });
    },
    'renderings:tryAgain': ({ capabilityId, routeId }) => {
      const place = inUse();
      return ok({ forgotten: place?.routeId === routeId ? store.write((db) => deleteRefusals(db, capabilityId, place)) : 0 });
    },
  };
};
