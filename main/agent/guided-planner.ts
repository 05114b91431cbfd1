import { FUNNEL_STAGES } from '../../shared/capability.ts';
import type { Fault } from '../../shared/fault.ts';
import { PLAN_REASONS, type PlannedTool, type PlanReason } from '../../shared/planner.ts';
import { USER } from '../../shared/principal.ts';
import type { CapabilityRegistry } from '../capabilities/registry.ts';
import { choosables } from './choosable.ts';
import type { SelectionPipeline } from './selection/pipeline.ts';
import type { Ranked } from './selection/rank.ts';
import { requestWords } from './selection/request-words.ts';

export interface PlannerDeps {
  readonly registry: Pick<CapabilityRegistry, 'toolDefinitions' | 'candidate' | 'get'>;
  readonly pipeline: Pick<SelectionPipeline, 'rank'>;
  readonly serverName: (serverId: string) => string;
}
export interface PlannerQuestion {
  readonly request: string;
  readonly principal: string;
  /** most of each list */
  readonly limit: number;
}
export interface Plan {
  readonly candidates: PlannedTool[];
  readonly others: PlannedTool[];
  readonly tools: number;
}

/** So many are looked at for those that this principal may use. */
const RANKED = 60;
/** What falls so far behind the first is no answer to the request. */
const LEAST_OF_BEST = 0.45;
/** Of the weight of the request's words. A tool that has less of them, and hardly its meaning, is none either. */
const LEAST_COVERAGE = 0.2;
const LEAST_MEANING = 0.45;
const LEAST_PART = 0.03;
const MOST_REASONS = 3;
const MOST_MATCHED = 6;
const DESCRIPTION_CHARS = 400;

/** Ranks every tool for the request of a person, and says of each whether this principal may use it, or at which stage it drops out. */
export const rankForPerson = async ({ request, principal, limit }: PlannerQuestion, { registry, pipeline, serverName }: PlannerDeps): Promise<Plan> => {
  const tools = registry.toolDefinitions();
  const { tools: ranked, failed } = await pipeline.rank({ request, principal, candidates: choosables(tools, serverName), most: RANKED, decides: true });
  if (failed) throw new Error('tools cannot be ranked');
  // what a server is about as a whole says of none of its tools that it fits
  const own = ({ score, gives }: Ranked): number => score - gives.sense - gives.kind;
  const best = ranked[0] === undefined ? 0 : own(ranked[0]);
  const asked = requestWords(request);
  const fitting = ranked.filter((one) => one.score > 0 && own(one) >= best * LEAST_OF_BEST && (one.coverage >= LEAST_COVERAGE || one.reasons.meaning >= LEAST_MEANING));
  const planned = fitting.flatMap((one) => plannedTool(one, asked, principal, { registry, serverName }) ?? []);
  return {
    candidates: planned.filter(({ loss }) => loss === null).slice(0, limit),
    others: planned.filter(({ loss }) => loss !== null).slice(0, limit),
    tools: tools.length,
  };
};

const plannedTool = ({ id, gives }: Ranked, asked: ReadonlyMap<string, string>, principal: string, { registry, serverName }: Pick<PlannerDeps, 'registry' | 'serverName'>): PlannedTool | null => {
  const found = registry.get(id);
  // gone between ranking and now
  if (!found.ok) return null;
  const { serverId, name, title, description, tier } = found.value;
  const now = registry.candidate(id, principal);
  return {
    capabilityId: id, serverId, serverName: serverName(serverId), name, ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description: description.slice(0, DESCRIPTION_CHARS).toWellFormed() }), tier,
    reasons: strongest(gives),
    matched: matchedWords(asked, [name, title ?? '', description ?? '']),
    loss: now.ok ? null : lossOf(now.error),
    usable: registry.candidate(id, USER).ok,
  };
};

const strongest = (gives: Ranked['gives']): PlanReason[] =>
  PLAN_REASONS.map((reason) => ({ reason, part: gives[reason] }))
    .filter(({ part }) => part >= LEAST_PART)
    .sort((a, b) => b.part - a.part)
    .slice(0, MOST_REASONS)
    .map(({ reason }) => reason);

const matchedWords = (asked: ReadonlyMap<string, string>, texts: readonly string[]): string[] => {
  const there = requestWords(texts.join('\n'));
  return [...asked].flatMap(([stem, word]) => (there.has(stem) ? [word] : [])).slice(0, MOST_MATCHED);
};

const lossOf = ({ code, details }: Fault): NonNullable<PlannedTool['loss']> => {
  const stage = FUNNEL_STAGES.find((one) => one === details?.['stage']) ?? 'fresh_healthy';
  return { stage, reason: typeof details?.['reason'] === 'string' ? details['reason'] : code };
};
