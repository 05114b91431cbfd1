import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import type { Rendering } from '../capabilities/routes/rendering.ts';
import type { TurnBinding } from '../capabilities/turn-binding.ts';

/** One turn's binding of a name: the capability and what it stood for when the model saw it, and in which rendering. */
export interface ShownTool {
  readonly name: string;
  readonly capabilityId: string;
  readonly binding: TurnBinding;
  readonly rendering: Rendering;
}

declare const passed: unique symbol;
/** One that went through candidates, route, ranking and exposure: a request takes no other, and only the last stage (expose-tools.ts) makes one. */
export type ExposedTool = ShownTool & { readonly [passed]: true };

/** Names and words of a tool as a request carries them; there is no `execute`: the library asks and answers, Gantry calls. */
export const asFunctionTool = ({ name, rendering }: Pick<ShownTool, 'name' | 'rendering'>): LanguageModelV3FunctionTool => ({
  type: 'function',
  name,
  ...(rendering.description === null ? {} : { description: rendering.description }),
  inputSchema: rendering.schema as LanguageModelV3FunctionTool['inputSchema'],
  ...(rendering.strict ? { strict: true } : {}),
});
