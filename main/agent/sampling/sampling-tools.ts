import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import { fault, type Fault } from '../../../shared/fault.ts';
import type { SamplingRequest } from '../../../shared/question.ts';
import type { RouteId } from '../../../shared/rendering.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { ROUTES } from '../../capabilities/routes/profiles.ts';
import { renderFor, type Rendering } from '../../capabilities/routes/rendering.ts';
import { shownNameOf } from '../history.ts';
import { asFunctionTool } from '../exposed-tool.ts';

/** A tool that a server brings along, as the model is shown it. Gantry never runs it. */
export interface BroughtTool {
  /** as the server calls it */
  readonly name: string;
  readonly rendering: Rendering;
}

export interface BroughtTools {
  readonly shown: readonly LanguageModelV3FunctionTool[];
  /** by the name that is shown */
  readonly byName: ReadonlyMap<string, BroughtTool>;
  /** the shown name of a server's own; of one that it does not bring, too */
  readonly nameOf: (name: string) => string;
}

/** The server's own name where the route reads it; else its legal letters, told apart by a number. */
const distinct = (name: string, maxLength: number, taken: ReadonlySet<string>): string => {
  const base = shownNameOf(name).slice(0, maxLength);
  for (let n = 2, shown = base; ; n += 1) {
    if (!taken.has(shown.toLowerCase())) return shown;
    shown = `${base.slice(0, maxLength - 4)}_${n}`;
  }
};

/** Tools in the terms of the model's route. Error: sampling_unfit with the first that it cannot be shown. */
export const broughtTools = (tools: SamplingRequest['tools'], routeId: RouteId): Result<BroughtTools, Fault> => {
  const { names } = ROUTES[routeId];
  const byName = new Map<string, BroughtTool>();
  const shownNames = new Map<string, string>();
  const taken = new Set<string>();
  const shown: LanguageModelV3FunctionTool[] = [];
  for (const [i, { name, description, inputSchema }] of (tools ?? []).entries()) {
    const rendering = renderFor({ name, inputSchema, ...(description === undefined ? {} : { description }) }, routeId);
    if (rendering.leftOut) return err(fault('sampling_unfit', `This model cannot be shown the tool ${JSON.stringify(name)}: ${rendering.leftOut.reason}.`, { field: `/tools/${i}`, remedy: 'Choose another model, or decline.', details: { why: 'tool' } }));
    const as = distinct(name, names.maxLength, taken);
    taken.add(as.toLowerCase());
    shownNames.set(name, as);
    byName.set(as, { name, rendering });
    shown.push(asFunctionTool({ name: as, rendering }));
  }
  return ok({ shown, byName, nameOf: (name) => shownNames.get(name) ?? shownNameOf(name).slice(0, names.maxLength) });
};
