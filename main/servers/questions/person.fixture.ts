import type { Asked, AskedOf, Decision, QuestionNote, QuestionPort } from './question-port.ts';

/** A person who decides as the test says, and what was put on the record beside. */
export class ScriptedPerson implements QuestionPort {
  readonly asked: Asked[] = [];
  readonly notes: { readonly of: AskedOf; readonly note: QuestionNote; readonly durable: boolean }[] = [];
  readonly completedIds: string[] = [];
  offersSampling = false;
  /** whether a note can be written */
  writes = (_note: QuestionNote): boolean => true;
  decide: (asked: Asked) => Decision | Promise<Decision> = () => ({ action: 'accept', content: {} });

  async ask(asked: Asked): Promise<Decision> {
    this.asked.push(asked);
    return this.decide(asked);
  }

  note(of: AskedOf, note: QuestionNote, durable = false): boolean {
    this.notes.push({ of, note, durable });
    return this.writes(note);
  }

  completed(_serverId: string, elicitationId: string): void {
    this.completedIds.push(elicitationId);
  }

  typesOf(): string[] {
    return this.notes.map(({ note }) => note.type);
  }
}

/** Waits until nobody waits for the answer any more. */
export const untilVoid = ({ signal }: Asked): Promise<Decision> =>
  new Promise((done) => {
    if (signal.aborted) done({ action: 'cancel' });
    signal.addEventListener('abort', () => done({ action: 'cancel' }), { once: true });
  });
