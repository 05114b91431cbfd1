import type { Fault } from '../../shared/fault.ts';
import type { OutputOf, ParsedInputOf, RequestName } from '../../shared/contract/contract.ts';
import type { Result } from '../../shared/result.ts';

/** Who speaks: the window, the `gantry` command, or a script on a host started with --approvals=script. */
export interface Caller {
  readonly kind: 'window' | 'command' | 'script';
  readonly canDecide: boolean;
}

export type Handler<N extends RequestName> = (input: ParsedInputOf<N>, caller: Caller) => Result<OutputOf<N>, Fault> | Promise<Result<OutputOf<N>, Fault>>;

/** All handlers of the requests whose name begins with one of the given nouns. */
export type HandlersOf<Noun extends string> = { readonly [N in Extract<RequestName, `${Noun}:${string}`>]: Handler<N> };

export type AllHandlers = { readonly [N in RequestName]: Handler<N> };

/** Who is put on record: decisions name the channel they came through, by its code; each window words it in its own language. */
export const onRecord = (caller: Caller): string => caller.kind;
