import type { Fault } from '../../../shared/fault.ts';
import type { ImportHost, NotBroughtReason } from '../../../shared/import.ts';
import type { JsonValue } from './json-value.ts';

/** What the source says of a value it asks for (VS Code's inputs, the registry's variables), by the name in `${input:name}`. */
export interface InputHint {
  readonly description: string;
  readonly secret: boolean;
  readonly default: string | null;
  readonly choices: readonly string[];
  readonly required: boolean;
}

/** A field that is not taken over; its value is masked when it is shown. */
export interface Unread {
  readonly path: readonly (string | number)[];
  readonly reason: NotBroughtReason;
  readonly value: JsonValue;
}

/** The one neutral shape that every source is read into. Texts are as they were written, placeholders and all; what is secret among them is judged later. */
export interface FoundServer {
  readonly name: string;
  /** where it stands in the source, as keys from the top */
  readonly path: readonly (string | number)[];
  readonly command: string | null;
  readonly args: readonly string[];
  readonly cwd: string | null;
  readonly url: string | null;
  readonly env: readonly (readonly [string, string])[];
  readonly headers: readonly (readonly [string, string])[];
  readonly disabled: boolean;
  readonly inputs: ReadonlyMap<string, InputHint>;
  readonly unread: readonly Unread[];
  readonly fault: Fault | null;
}

/** All that one text held. */
export interface FoundText {
  readonly servers: readonly FoundServer[];
  /** fields that belong to no one server */
  readonly unread: readonly Unread[];
}

/** One source that was read. */
export interface FoundSource extends FoundText {
  readonly host: ImportHost;
  readonly path: string | null;
  readonly fault: Fault | null;
  readonly absent: boolean;
}
