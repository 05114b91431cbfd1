import type { CapabilityKind } from '../../shared/capability-id.ts';
import { FrozenArguments, FROZEN } from './frozen-arguments.ts';
import type { TaskQuestion } from './task-call.ts';

/** The requests that are calls: the line of a call sends them, and judges what comes back. */
const CALL_METHODS = { tool: 'tools/call', resource: 'resources/read', prompt: 'prompts/get' } as const satisfies Record<CapabilityKind, string>;
const METHODS: ReadonlySet<string> = new Set(Object.values(CALL_METHODS));
export const isCallMethod = (method: string): boolean => METHODS.has(method);

export interface CalledThing {
  readonly kind?: CapabilityKind | undefined;
  readonly toolName: string;
  /** of a resource */
  readonly uri?: string | null | undefined;
  /** RFC 8785 text */
  readonly frozenArguments: string;
}

/**
 * One use of a capability as a request. Arguments travel byte for byte as they were frozen. A resource has none: its URI, which the newer era also puts into a
 * header, stands as text, and the frozen input rides along unwritten, so that the answer finds its call.
 */
export const wireRequest = ({ kind = 'tool', toolName, uri, frozenArguments }: CalledThing, token: string, written: () => void): { readonly method: string; readonly frozen: FrozenArguments; readonly params: Readonly<Record<string | symbol, unknown>> } => {
  const method = CALL_METHODS[kind];
  if (kind === 'resource') {
    const frozen = new FrozenArguments(frozenArguments, written, token);
    return { method, frozen, params: { uri: uri ?? toolName, [FROZEN]: frozen } };
  }
  const frozen = new FrozenArguments(frozenArguments, written);
  return { method, frozen, params: { name: toolName, arguments: frozen } };
};

/** A question about a task: nothing of it is frozen; what rides along finds its answer. */
export const taskRequest = ({ handle: { taskId }, ask }: Pick<TaskQuestion, 'handle' | 'ask'>, meta: Readonly<Record<string, unknown>>, written: () => void): ReturnType<typeof wireRequest> => {
  const frozen = new FrozenArguments('', written, '');
  const answers = ask.what === 'update' ? { inputResponses: ask.inputResponses } : {};
  return { method: `tasks/${ask.what}`, frozen, params: { taskId, ...answers, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }), [FROZEN]: frozen } };
};
