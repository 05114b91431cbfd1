import { ok, type Result } from '../../shared/result.ts';
import type { ModelFault, ModelReply } from './model-adapter.ts';
import { readRefusal } from './provider-refusal.ts';
import type { ExposedTool } from './exposed-tool.ts';

export type AskFault = ModelFault;
export type Ask = (tools: readonly ExposedTool[]) => Promise<Result<ModelReply, AskFault>>;

/** Its request went out and was not refused: the reply did not come, or not to its end. */
export const wentUnanswered = ({ exchange }: AskFault): boolean => exchange?.status === 200 || exchange?.isLost === true;

/** Its request left this machine, whatever came back. */
export const hasLeft = ({ exchange }: AskFault): boolean => exchange !== null && (exchange.status !== null || exchange.isLost);

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

/** What a refusal says of the tools that the request carried. */
export const readingOf = (fault: AskFault, tools: readonly ExposedTool[]): ReturnType<typeof readRefusal> => readRefusal(statusOf(fault), wordsOf(fault), tools.map((tool) => tool.name));

export const provedRefusal = (tool: ExposedTool, form: ProvedRefusal['form'], fault: AskFault): ProvedRefusal => ({ tool, form, status: statusOf(fault) ?? 400, providerSays: wordsOf(fault) });

/** One turn's requests: counted, with what was proved on the way. */
export class Asking {
  readonly #once: Ask;
  readonly #refusals: ProvedRefusal[] = [];
  #requests = 0;

  constructor(once: Ask) {
    this.#once = once;
  }

  get requests(): number {
    return this.#requests;
  }

  ask(tools: readonly ExposedTool[]): ReturnType<Ask> {
    this.#requests += 1;
    return this.#once(tools);
  }

  prove(refusals: readonly ProvedRefusal[]): void {
    this.#refusals.push(...refusals);
  }

  answered(reply: ModelReply, tools: readonly ExposedTool[], undecided: readonly ExposedTool[] = []): Result<Asked, AskFault> {
    return ok({ reply, tools, refusals: this.#refusals, undecided, requests: this.#requests });
  }
}
