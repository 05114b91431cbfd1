import type { Funnel } from '../../shared/capability.ts';
import { FUNNEL_STAGE_NAMES } from '../../shared/funnel-stages.ts';
import type { SelectionRecord } from '../../shared/ranking.ts';
import { isObject } from '../../shared/is-object.ts';
import type { EvidenceEvent } from '../../shared/run.ts';

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const placeOf = (raw: unknown): { place?: { at: number; of: number } } => (isObject(raw) && typeof raw['at'] === 'number' && typeof raw['of'] === 'number' ? { place: { at: raw['at'], of: raw['of'] } } : {});

const numbersOf = (raw: unknown): Readonly<Record<string, number>> => Object.fromEntries(Object.entries(isObject(raw) ? raw : {}).filter((entry): entry is [string, number] => typeof entry[1] === 'number'));

/** How the candidates of a turn were ranked; absent in records from before it was told. */
const selectionOf = (raw: unknown): { selection?: SelectionRecord } => {
  if (!isObject(raw)) return {};
  const { of, topK, semantic, failed } = raw;
  const ranked = list(raw['ranked']).flatMap((one) => {
    if (!isObject(one) || typeof one['capabilityId'] !== 'string' || typeof one['place'] !== 'number' || typeof one['score'] !== 'number') return [];
    return [{ capabilityId: one['capabilityId'], place: one['place'], score: one['score'], parts: { ...numbersOf(one['parts']) }, exposed: one['exposed'] === true, reason: String(one['reason']) }];
  });
  const reason = isObject(semantic) && typeof semantic['reason'] === 'string' ? { reason: semantic['reason'] } : {};
  return { selection: { of: Number(of) || 0, topK: Number(topK) || 0, semantic: { tookPart: isObject(semantic) && semantic['tookPart'] === true, ...reason }, ...(failed === true ? { failed: true } : {}), ranked } };
};

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
  return { principal, stages, ...(pinned.length === 0 ? {} : { pinned }), ...selectionOf(data['selection']), ...(isWhole ? { request: { tools, maxTools, tokens, maxTokens } } : {}) };
};
