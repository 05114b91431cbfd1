import { randomUUID } from 'node:crypto';

/**
 * The frozen RFC 8785 text of a call's arguments. It travels through the SDK as an object that writes itself as a unique mark; the transport
 * puts the text in the place of the mark, so that the approved bytes and the sent bytes are the same (design section 3, A02).
 */
export class FrozenArguments {
  readonly text: string;
  readonly mark: string;
  /** false: it stands nowhere in the message, which is known by `mark` all the same */
  readonly isSpliced: boolean;
  readonly #onWritten: () => void;

  /** `knownBy`: a text of its own that the message holds already; without it the frozen text is put in; an empty one is looked for nowhere */
  constructor(text: string, onWritten: () => void = () => {}, knownBy?: string) {
    this.text = text;
    this.mark = knownBy ?? `gantry-frozen-${randomUUID()}`;
    this.isSpliced = knownBy === undefined;
    this.#onWritten = onWritten;
  }

  toJSON(): string {
    return this.mark;
  }

  /** Called by a transport just before the first byte leaves. */
  written(): void {
    this.#onWritten();
  }
}

/** Where frozen arguments ride that are not written as such. */
export const FROZEN = Symbol('frozen arguments');

export const frozenIn = (message: object): FrozenArguments | null => {
  const params: unknown = 'params' in message ? message.params : null;
  if (typeof params !== 'object' || params === null) return null;
  const frozen = (params as { readonly [FROZEN]?: unknown })[FROZEN] ?? ('arguments' in params ? params.arguments : null);
  return frozen instanceof FrozenArguments ? frozen : null;
};

/** JSON text with the frozen text in place, byte for byte. */
export const spliceFrozen = (json: string, frozen: FrozenArguments): string => {
  if (!frozen.isSpliced) return json;
  const quoted = `"${frozen.mark}"`;
  const at = json.indexOf(quoted);
  return at < 0 ? json : json.slice(0, at) + frozen.text + json.slice(at + quoted.length);
};
