import type { QuestionVoidReason } from '../../../shared/question.ts';
import type { FrozenArguments } from '../frozen-arguments.ts';
import type { CallClock } from './call-clock.ts';
import type { CallMark } from './question-port.ts';

/** A call that is under way on a session, as long as its server may ask in it. */
export class Flight {
  readonly mark: CallMark | null;
  readonly clock: CallClock;
  /** questions of it so far */
  asked = 0;
  /** questions of it that were too many, and reached nobody */
  tooMany = 0;
  /** the roots were put on its record */
  rootsTold = false;
  /** the request that carries it now */
  frozen: FrozenArguments | null = null;
  readonly #ended = new AbortController();

  constructor(mark: CallMark | null, clock: CallClock) {
    this.mark = mark;
    this.clock = clock;
  }

  /** Aborted with a QuestionVoidReason when the call is over. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  end(reason: QuestionVoidReason): void {
    if (!this.signal.aborted) this.#ended.abort(reason);
  }
}
