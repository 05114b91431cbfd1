import type { QuestionPort } from './question-port.ts';

export interface Root {
  readonly uri: string;
  readonly name: string;
}

/** What a session may do about what its server asks. */
export interface Asking {
  readonly serverId: string;
  /** null: nothing is offered but roots */
  readonly port: QuestionPort | null;
  /** folders that the person named for this server */
  roots(): readonly Root[];
  /** it runs on this computer, and may name pages on it */
  readonly isLocal: boolean;
  /** a line in the server's log */
  log(text: string): void;
}

/** The capabilities that are declared to a server: exactly what is answered. */
export const declared = ({ port }: Pick<Asking, 'port'>): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({
  roots: { listChanged: true },
  ...(port === null ? {} : { elicitation: { form: { applyDefaults: true }, url: {} } }),
  ...(port?.offersSampling ? { sampling: { tools: {} } } : {}),
});
