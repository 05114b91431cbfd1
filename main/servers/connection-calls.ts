import type { Masker } from '../secrets/mask.ts';
import { answerTask, askTask, callMasked, type TaskWants } from './ask-task.ts';
import type { Recovery, RecoveringCall, RecoveringQuestion } from './call-with-recovery.ts';
import type { Live } from './live-session.ts';
import type { TaskAnswer } from './task-call.ts';
import type { ToolAnswer } from './wire-answer.ts';

/** Calls and questions about tasks on whatever session of a connection stands; what is said of their failures is masked. */
export class ConnectionCalls {
  readonly #recovery: Recovery<Live>;
  readonly #mask: Masker;

  constructor(recovery: Recovery<Live>, mask: Masker) {
    this.#recovery = recovery;
    this.#mask = mask;
  }

  call(call: RecoveringCall): Promise<ToolAnswer> {
    return callMasked(this.#recovery, call, this.#mask);
  }
  askTask(question: RecoveringQuestion): Promise<TaskAnswer> {
    return askTask(this.#recovery, question, this.#mask);
  }
  answerTask(wants: TaskWants): ReturnType<typeof answerTask> {
    return answerTask(this.#recovery, wants);
  }
}
