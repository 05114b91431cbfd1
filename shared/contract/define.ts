import { z } from 'zod';

/**
 * `read` and `write` are open to the window and the command. `decide` (approvals) needs a scope of its own:
 * the window has it; the command only on a host started with --approvals=script.
 */
export type Scope = 'read' | 'write' | 'decide';

export interface RequestDefinition<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly scope: Scope;
  readonly input: I;
  readonly output: O;
}
export const request = <I extends z.ZodType, O extends z.ZodType>(scope: Scope, input: I, output: O): RequestDefinition<I, O> => ({ scope, input: strict(input), output });

/** A name nobody knows is refused by name: a misspelt field must not be taken for one that was left out. */
const strict = <I extends z.ZodType>(input: I): I => (input instanceof z.ZodObject ? (input.strict() as unknown as I) : input);

export const Empty = z.object({});
