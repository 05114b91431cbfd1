import type { TaskAccepted } from './task-call.ts';
import type { TaskHandle } from './task-state.ts';
import type { WireOutcome } from './wire-outcome.ts';

/** The server goes on with the call as a task: what it says of it, and by what it is asked about. */
export type TaskBegun = Omit<TaskAccepted, 'era'> & { readonly handle: TaskHandle };

/** What a call comes to on the wire: an outcome, or a task that leads to one. */
export type ToolAnswer = WireOutcome | TaskBegun;
