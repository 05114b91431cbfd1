import type { Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Rendering } from '../capabilities/routes/rendering.ts';
import type { CapturedExchange, ModelReply } from './model-adapter.ts';
import { readRefusal } from './provider-refusal.ts';
import type { ExposedTool } from './turn-tools.ts';

/** More requests than this are not spent on one turn's search. */
const MAX_REQUESTS = 40;
/** So few suspects are left out one by one: only the request without the culprit is accepted, and it is the turn itself; a refusal costs nothing. */
const ONE_BY_ONE = 12;
/** How often a provider's own words are believed in one search. */
const MAX_HINTS = 4;

export type AskFault = Fault & { readonly exchange: CapturedExchange | null };
export type Ask = (tools: readonly ExposedTool[]) => Promise<Result<ModelReply, AskFault>>;

/** A refusal that is proved: refused with this tool, accepted without it (or in plain words). */
export interface ProvedRefusal {
  readonly tool: ExposedTool;
  readonly form: 'plainest' | 'set_aside';
  readonly status: number;
  readonly providerSays: string;
}
export interface Asked {
  readonly reply: ModelReply;
  /** what the accepted request carried */
  readonly tools: readonly ExposedTool[];
  readonly refusals: readonly ProvedRefusal[];
  /** in no request that was accepted, and not proved to be at fault either */
  readonly undecided: readonly ExposedTool[];
  readonly requests: number;
}

const statusOf = (fault: AskFault): number | null => (typeof fault.details?.['status'] === 'number' ? fault.details['status'] : null);
const wordsOf = (fault: AskFault): string => String(fault.details?.['providerSays'] ?? '');

/**
 * One turn's request, and what to do when a provider refuses it for a tool (design section 6, 4): the tools it speaks of, or all, in plain words; then,
 * by halves and one by one, the one at fault, which is left out. Every probe is the turn's own request with fewer tools, so the one that is accepted is the turn.
 * Errors: the first refusal where it is not about tools, or where tools make no difference.
 */
export const askWithTools = async (all: readonly ExposedTool[], plain: (tool: ExposedTool) => Rendering | null, askOnce: Ask): Promise<Result<Asked, AskFault>> => {
  let requests = 0;
  const ask: Ask = (tools) => {
    requests += 1;
    return askOnce(tools);
  };
  let tools = all;
  const refusals: ProvedRefusal[] = [];
  const answer = (reply: ModelReply, carried: readonly ExposedTool[], undecided: readonly ExposedTool[] = []): Result<Asked, AskFault> => ok({ reply, tools: carried, refusals, undecided, requests });

  let refused = await ask(tools);
  if (refused.ok) return answer(refused.value, tools);
  const first = refused.error;
  let reading = readRefusal(statusOf(first), wordsOf(first), tools.map((tool) => tool.name));
  if (reading.kind === 'not_tools') return err(first);
  if (reading.kind === 'too_many') {
    const fewer = tools.slice(0, reading.limit);
    const again = await ask(fewer);
    if (again.ok) return answer(again.value, fewer, tools.slice(reading.limit));
    return err(first);
  }

  // the same tools in plain words: routers hide whose rules hold behind them
  const suspects = new Set(reading.suspects);
  const inPlain = tools.map((tool) => {
    const rendering = suspects.size === 0 || suspects.has(tool.name) ? plain(tool) : null;
    return rendering && !rendering.leftOut && JSON.stringify(rendering.schema) !== JSON.stringify(tool.rendering.schema) ? { ...tool, rendering } : tool;
  });
  const changed = inPlain.filter((tool, i) => tool !== tools[i]);
  if (changed.length > 0) {
    const again = await ask(inPlain);
    const proved = changed.map((tool): ProvedRefusal => ({ tool, form: 'plainest', status: statusOf(first)!, providerSays: wordsOf(first) }));
    if (again.ok) {
      refusals.push(...proved);
      return answer(again.value, inPlain);
    }
    // where the words name another tool now, plain words helped the first
    const next = readRefusal(statusOf(again.error), wordsOf(again.error), inPlain.map((tool) => tool.name));
    if (next.kind === 'not_tools') return err(again.error);
    if (next.kind === 'tools' && next.suspects.length > 0 && next.suspects.every((name) => !suspects.has(name)) && suspects.size > 0) {
      tools = inPlain;
      refusals.push(...proved);
      refused = again;
      reading = next;
    }
  }

  let good: readonly ExposedTool[] = [];
  let lastGood: ModelReply | null = null;
  const culprits: ProvedRefusal[] = [];
  const blame = (tool: ExposedTool, fault: AskFault): void => {
    culprits.push({ tool, form: 'set_aside', status: statusOf(fault) ?? 400, providerSays: wordsOf(fault) });
  };
  const remaining = (): ExposedTool[] => tools.filter((tool) => !culprits.some((one) => one.tool.capabilityId === tool.capabilityId));
  let fault = refused.ok ? first : refused.error;
  let hint = new Set(reading.kind === 'tools' ? reading.suspects : []);
  let hints = 0;

  while (requests < MAX_REQUESTS) {
    if (hint.size > 0 && hint.size <= 3 && hints < MAX_HINTS) {
      hints += 1;
      for (const tool of tools) if (hint.has(tool.name) && !culprits.some((one) => one.tool === tool)) blame(tool, fault);
    } else {
      // words that name one tool after the other name none: what they brought is taken back
      if (hints === MAX_HINTS) culprits.length = 0;
      hints = MAX_HINTS + 1;
      let suspected = remaining().filter((tool) => !good.includes(tool));
      // what was rewritten is the likelier half: a refusal costs nothing, an answer is thrown away
      suspected = [...suspected.filter((tool) => tool.rendering.state !== 'unchanged'), ...suspected.filter((tool) => tool.rendering.state === 'unchanged')];
      let alone = suspected.length > 1;
      while (suspected.length > 1 && requests < MAX_REQUESTS - 1) {
        if (alone && suspected.length <= ONE_BY_ONE) {
          alone = false;
          for (const tool of suspected) {
            if (requests >= MAX_REQUESTS - 1) break;
            const rest = remaining().filter((one) => one !== tool);
            const probe = await ask(rest);
            if (!probe.ok) continue;
            blame(tool, fault);
            refusals.push(...culprits);
            return answer(probe.value, rest);
          }
        }
        const half = suspected.slice(0, Math.ceil(suspected.length / 2));
        const probe = await ask([...good, ...half]);
        if (probe.ok) {
          good = [...good, ...half];
          lastGood = probe.value;
          suspected = suspected.slice(half.length);
        } else if (readRefusal(statusOf(probe.error), wordsOf(probe.error), half.map((tool) => tool.name)).kind === 'not_tools') return err(probe.error);
        else {
          fault = probe.error;
          suspected = half;
        }
      }
      if (suspected.length !== 1) break;
      blame(suspected[0]!, fault);
    }
    const rest = remaining();
    const without = await ask(rest);
    if (without.ok) {
      refusals.push(...culprits);
      return answer(without.value, rest);
    }
    // nothing was ever accepted: with no tool at all it is refused as well, or tools are not what it is about
    if (good.length === 0 && rest.length > 0 && culprits.length === 1) {
      const bare = await ask([]);
      if (!bare.ok) return err(first);
      lastGood = bare.value;
    }
    if (rest.length === 0) return err(first);
    fault = without.error;
    const next = readRefusal(statusOf(fault), wordsOf(fault), rest.map((tool) => tool.name));
    if (next.kind === 'not_tools') return err(fault);
    hint = new Set(next.kind === 'tools' ? next.suspects : []);
  }
  if (lastGood === null) return err(first);
  refusals.push(...culprits);
  return answer(lastGood, good, remaining().filter((tool) => !good.includes(tool)));
};
