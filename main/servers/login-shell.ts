import { readLoginVariables } from './login-path.ts';

type Variables = ReadonlyMap<string, string>;

/** What the login shell has, for everybody who wants something of it: it is started once, and again only after a time when it gave nothing. */
export class LoginShell {
  readonly #names: readonly string[];
  readonly #read: (names: readonly string[]) => Promise<Variables | null>;
  #asked: Promise<Variables | null> | null = null;

  /** `names`: whatever of it may be wanted, besides PATH. */
  constructor(names: readonly string[], read: (names: readonly string[]) => Promise<Variables | null> = readLoginVariables) {
    this.#names = names;
    this.#read = read;
  }

  variables(): Promise<Variables | null> {
    this.#asked ??= this.#read(this.#names).then((found) => {
      if (found === null) this.#asked = null;
      return found;
    });
    return this.#asked;
  }

  async path(): Promise<string | null> {
    return (await this.variables())?.get('PATH') ?? null;
  }
}
