import { randomUUID } from 'node:crypto';

/**
 * The frozen RFC 8785 text of a call's arguments. It travels through the SDK as an object that writes itself as a unique mark; the transport
 * puts the text in the place of the mark, so that the approved bytes and the sent bytes are the same (design section 3, A02).
 */
export class FrozenArguments {
  readonly text: string;
  readonly mark: string;
  readonly #onWritten: () => void;

  constructor(text: string, onWritten: () => void = () => {}) {
    this.text = text;
    this.mark = `gantry-frozen-${randomUUID()}`;
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

export const frozenIn = (message: object): FrozenArguments | null => {
  const params: unknown = 'params' in message ? message.params : null;
  if (typeof params !== 'object' || params === null || !('arguments' in params)) return null;
  return params.arguments instanceof FrozenArguments ? params.arguments : null;
};

/** JSON text with the frozen text in place, byte for byte. */
export const spliceFrozen = (json: string, frozen: FrozenArguments): string => {
  const quoted = `"${frozen.mark}"`;
  const at = json.indexOf(quoted);
  return at < 0 ? json : json.slice(0, at) + frozen.text + json.slice(at + quoted.length);
};
