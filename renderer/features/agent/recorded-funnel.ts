import type { Funnel } from '../../../shared/capability.ts';
import { FUNNEL_STAGE_NAMES } from '../../../shared/funnel-stages.ts';
import { isObject } from '../../../shared/is-object.ts';
import type { EvidenceEvent } from '../../../shared/run.ts';

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The funnel as a turn recorded it: of the stages before the last only the losses are on record, not the names of what stayed. */
export const recordedFunnel = ({ data }: EvidenceEvent, principal: string): Funnel => {
  const exposed = list(data['exposed']).flatMap((one) => (isObject(one) && typeof one['capabilityId'] === 'string' ? [one['capabilityId']] : []));
  const stages = list(data['funnel']).flatMap((raw) => {
    const stage = isObject(raw) ? FUNNEL_STAGE_NAMES.find((name) => name === raw['stage']) : undefined;
    if (stage === undefined || !isObject(raw)) return [];
    const lost = list(raw['lost']).flatMap((one) => (isObject(one) ? [{ capabilityId: String(one['capabilityId']), reason: String(one['reason']) }] : []));
    return [{ stage, evaluated: raw['evaluated'] === true, count: Number(raw['count']) || 0, capabilityIds: stage === 'exposed' ? exposed : [], lost }];
  });
  const carried = isObject(data['carried']) ? data['carried'] : {};
  const [tools, maxTools, tokens, maxTokens] = ['tools', 'maxTools', 'tokens', 'maxTokens'].map((name) => carried[name]);
  const isWhole = typeof tools === 'number' && typeof maxTools === 'number' && typeof tokens === 'number' && typeof maxTokens === 'number';
  return { principal, stages, ...(isWhole ? { request: { tools, maxTools, tokens, maxTokens } } : {}) };
};
