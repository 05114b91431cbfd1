import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { PendingSignIn } from '../../../shared/sign-in.ts';
import { ServerSignIn, type SignInDeps } from './server-sign-in.ts';

interface SignInsDeps {
  readonly deps: Omit<SignInDeps, 'changed'>;
  readonly changed: (serverId: string) => void;
  /** where requests of the server go, placeholders filled in. Error: why there is no signing in */
  readonly address: (serverId: string) => Result<string, Fault>;
  /** signed in: starts the server with it */
  readonly connect: (serverId: string) => Promise<unknown>;
  /** of a removed server; null: its login server offers no such thing */
  readonly takenBack: (serverId: string, revoked: boolean | null) => void;
  readonly signedOut: (serverId: string, why: Fault) => void;
}

/** The sign-ins of all servers. */
export class SignIns {
  readonly #deps: SignInsDeps;
  readonly #all = new Map<string, ServerSignIn>();

  constructor(deps: SignInsDeps) {
    this.#deps = deps;
  }

  of(serverId: string): ServerSignIn {
    let one = this.#all.get(serverId);
    if (one === undefined) {
      one = new ServerSignIn(serverId, { ...this.#deps.deps, changed: () => this.#deps.changed(serverId) });
      this.#all.set(serverId, one);
    }
    return one;
  }

  /** Begins, or finds the one that waits. When it ends well the server is connected with it. `done`: why it did not, else undefined. */
  async begin(serverId: string, agree?: string): Promise<Result<{ readonly pending: PendingSignIn; readonly done: Promise<Result<void, Fault>> }, Fault>> {
    const address = this.#deps.address(serverId);
    if (!address.ok) return address;
    const signIn = this.of(serverId);
    const begun = await signIn.begin(address.value, { agree });
    if (!begun.ok) return begun;
    const pending = signIn.view().pending;
    if (pending === null) return err(fault('cancelled', 'The sign-in was stopped.'));
    return ok({ pending, done: begun.value.done.then(async (ended) => (ended.ok ? (await this.#deps.connect(serverId), ok(undefined)) : ended)) });
  }

  /** Tokens go at once, and the server stops: what runs with them must not go on. */
  async signOut(serverId: string): Promise<{ readonly revoked: boolean | null }> {
    const signedIn = this.of(serverId).view().account?.ended === null;
    if (signedIn) this.#deps.signedOut(serverId, fault('sign_in_required', 'You signed out of this server.', { remedy: 'Sign in on the server’s page.', details: { reason: 'signed_out' } }));
    return this.of(serverId).signOut();
  }

  /** Before a server is removed: its tokens are dropped now and taken back by and by, which nobody waits for. Whether there were any. */
  removing(serverId: string): boolean {
    const signedIn = this.of(serverId).view().account?.ended === null;
    if (signedIn) void this.of(serverId).signOut().then(({ revoked }) => this.#deps.takenBack(serverId, revoked), () => this.#deps.takenBack(serverId, false));
    this.forget(serverId);
    return signedIn;
  }

  forget(serverId: string): void {
    this.#all.get(serverId)?.cancel();
    this.#all.delete(serverId);
  }

  close(): void {
    for (const one of this.#all.values()) one.cancel();
  }
}
