import type { Funnel } from '../../../shared/capability.ts';
import { FUNNEL_STAGE_NAMES } from '../../../shared/funnel-stages.ts';
import { isObject } from '../../../shared/is-object.ts';
import type { EvidenceEvent } from '../../../shared/run.ts';

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const placeOf = (raw: unknown): { place?: { at: number; of: number } } => (isObject(raw) && typeof raw['at'] === 'number' && typeof raw['of'] === 'number' ? { place: { at: raw['at'], of: raw['of'] } } : {});

/** The funnel as a turn recorded it: of the stages before the last only the losses are on record, not the names of what stayed. */
export const recordedFunnel = ({ data }: EvidenceEvent, principal: string): Funnel => {
  const exposed = list(data['exposed']).flatMap((one) => (isObject(one) && typeof one['capabilityId'] === 'string' ? [one['capabilityId']] : []));
  const stages = list(data['funnel']).flatMap((raw) => {
    const stage = isObject(raw) ? FUNNEL_STAGE_NAMES.find((name) => name === raw['stage']) : undefined;
    if (stage === undefined || !isObject(raw)) return [];
    const lost = list(raw['lost']).flatMap((one) => (isObject(one) ? [{ capabilityId: String(one['capabilityId']), reason: String(one['reason']), ...placeOf(one['place']) }] : []));
    return [{ stage, evaluated: raw['evaluated'] === true, count: Number(raw['count']) || 0, capabilityIds: stage === 'exposed' ? exposed : [], lost }];
  });
  const carried = isObject(data['carried']) ? data['carried'] : {};
  const [tools, maxTools, tokens, maxTokens] = ['tools', 'maxTools', 'tokens', 'maxTokens'].map((name) => carried[name]);
  const isWhole = typeof tools === 'number' && typeof maxTools === 'number' && typeof tokens === 'number' && typeof maxTokens === 'number';
  const pinned = list(data['pinned']).filter((id) => typeof id === 'string');
  return { principal, stages, ...(pinned.length === 0 ? {} : { pinned }), ...(isWhole ? { request: { tools, maxTools, tokens, maxTokens } } : {}) };
};
