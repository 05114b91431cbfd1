import { ok } from '../../shared/result.ts';
import type { AgentRunner } from '../agent/agent-runner.ts';
import { routeOf } from '../capabilities/routes/route-of.ts';
import type { Clock } from '../clock.ts';
import { HOST_SECRETS } from '../secrets/host-secrets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Store } from '../store/database.ts';
import { readModel, writeModel } from '../store/models.ts';
import type { HandlersOf } from './handlers.ts';

export const agentRequests = (deps: { readonly store: Store; readonly secrets: Secrets; readonly clock: Clock; readonly agent: AgentRunner }): HandlersOf<'models' | 'agent'> => ({
  'models:get': () => {
    const row = deps.store.read(readModel);
    return ok({ model: row && { provider: row.provider, baseUrl: row.baseUrl, model: row.model, routeId: row.route ?? routeOf(row), routeSet: row.route !== null, hasKey: row.keyRef !== null } });
  },
  'models:set': ({ provider, baseUrl, model, key, route }) => {
    const before = deps.store.read(readModel);
    let keyRef = before?.baseUrl === baseUrl ? before.keyRef : null;
    if (key !== undefined) {
      const sealed = deps.secrets.put({ serverId: HOST_SECRETS, place: 'model.key', value: key });
      if (!sealed.ok) return { ok: false, error: { ...sealed.error, field: '/key' } };
      keyRef = sealed.value;
    }
    deps.store.write((db) => writeModel(db, { provider, baseUrl, model, keyRef, route: route ?? null, setAt: deps.clock.now() }));
    if (before?.keyRef && before.keyRef !== keyRef) deps.secrets.remove(before.keyRef);
    return ok({});
  },
  'agent:run': ({ prompt, model, wait }) => deps.agent.run({ prompt, ...(model === undefined ? {} : { model }), wait: wait ?? false }),
});
