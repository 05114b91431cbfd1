import type { Observed, ObservedTool } from '../../../shared/market-observed.ts';

export interface Quality {
  readonly total: number;
  readonly states: Readonly<Record<ObservedTool['schemaState'], number>>;
  /** tools that declare what they answer; null where the record is from before this was asked */
  readonly output: number | null;
  /** tools whose server says whether they only read */
  readonly hints: number;
  /** tools whose input cannot be judged whole */
  readonly odd: readonly ObservedTool[];
}

/** How the tools of one record are declared. */
export const contractQuality = ({ tools }: Pick<Observed, 'tools'>): Quality => {
  const states = { checked: 0, partly_checked: 0, excluded: 0 };
  for (const tool of tools) states[tool.schemaState] += 1;
  return {
    total: tools.length,
    states,
    output: tools.some((tool) => tool.outputSchema === undefined) ? null : tools.filter((tool) => tool.outputSchema).length,
    hints: tools.filter((tool) => typeof tool.annotations?.['readOnlyHint'] === 'boolean').length,
    odd: tools.filter((tool) => tool.schemaState !== 'checked'),
  };
};
