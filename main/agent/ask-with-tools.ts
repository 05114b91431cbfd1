import { err, type Result } from '../../shared/result.ts';
import type { Rendering } from '../capabilities/routes/rendering.ts';
import { Asking, provedRefusal, readingOf, type Ask, type Asked, type AskFault } from './asking.ts';
import { CulpritSearch, type Refused } from './culprit-search.ts';
import type { ExposedTool } from './exposed-tool.ts';

type Plain = (tool: ExposedTool) => Rendering | null;

/**
 * One turn's request, and what to do when a provider refuses it for a tool (design section 6, 4): the tools it speaks of, or all, in plain words; then,
 * by halves and one by one, the one at fault, which is left out. Every probe is the turn's own request with fewer tools, so the one that is accepted is the turn.
 * Errors: the first refusal where it is not about tools, or where tools make no difference.
 */
export const askWithTools = async (tools: readonly ExposedTool[], plain: Plain, askOnce: Ask): Promise<Result<Asked, AskFault>> => {
  const asking = new Asking(askOnce);
  const refused = await asking.ask(tools);
  if (refused.ok) return asking.answered(refused.value, tools);
  const first = refused.error;
  const reading = readingOf(first, tools);
  if (reading.kind === 'not_tools') return err(first);
  if (reading.kind === 'too_many') {
    const fewer = tools.slice(0, reading.limit);
    const again = await asking.ask(fewer);
    return again.ok ? asking.answered(again.value, fewer, tools.slice(reading.limit)) : err(first);
  }
  const plainly = await askPlainly(asking, { tools, first, fault: first, hint: reading.suspects }, plain);
  return 'ok' in plainly ? plainly : new CulpritSearch(asking, plainly).run();
};

/** The same tools in plain words: routers hide whose rules hold behind them. What is then still refused is what the search begins with. */
const askPlainly = async (asking: Asking, refused: Refused, plain: Plain): Promise<Result<Asked, AskFault> | Refused> => {
  const { tools, first } = refused;
  const suspects = new Set(refused.hint);
  const inPlain = tools.map((tool) => {
    const rendering = suspects.size === 0 || suspects.has(tool.name) ? plain(tool) : null;
    return rendering && !rendering.leftOut && JSON.stringify(rendering.schema) !== JSON.stringify(tool.rendering.schema) ? { ...tool, rendering } : tool;
  });
  const changed = inPlain.filter((tool, i) => tool !== tools[i]);
  if (changed.length === 0) return refused;
  const again = await asking.ask(inPlain);
  const proved = changed.map((tool) => provedRefusal(tool, 'plainest', first));
  if (again.ok) {
    asking.prove(proved);
    return asking.answered(again.value, inPlain);
  }
  const next = readingOf(again.error, inPlain);
  if (next.kind === 'not_tools') return err(again.error);
  // where the words name another tool now, plain words helped the first
  const helped = next.kind === 'tools' && next.suspects.length > 0 && next.suspects.every((name) => !suspects.has(name)) && suspects.size > 0;
  if (!helped) return refused;
  asking.prove(proved);
  return { tools: inPlain, first, fault: again.error, hint: next.suspects };
};
