import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretStoreStatus } from '../../shared/settings.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { Clock } from '../clock.ts';
import type { Store } from '../store/database.ts';
import { countSecrets, deleteKeyWraps, listKeyWraps, putKeyWrap } from '../store/secrets.ts';
import type { KeyProviderName } from '../store/secrets.ts';
import { storeFault } from '../store/store-fault.ts';
import type { KeyProvider } from './key-provider.ts';
import { MIN_PASSPHRASE, unwrapWithPassphrase, wrapWithPassphrase } from './passphrase-wrap.ts';
import { KEY_BYTES } from './seal.ts';
import { within } from './time-limit.ts';

export interface DataKeyDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** in order of preference */
  readonly providers: readonly KeyProvider[];
  /** how long start waits for the providers; what they answer later is taken as if it had come at once */
  readonly waitMs: number;
  readonly onOpened: () => void;
  /** the providers have answered after start went on without them: the state is decided now */
  readonly onLate: () => void;
}

type Opened = { readonly key: Buffer; readonly provider: KeyProviderName };

/**
 * The one data key: 32 random bytes, in memory only while open, in the store only wrapped, once per provider, so that both shells and the
 * command open the same store. It is never replaced while something is sealed by it.
 */
export class DataKey {
  readonly #deps: DataKeyDeps;
  readonly #available = new Set<KeyProviderName>();
  #opened: Opened | null = null;
  /** a new key is being set: a provider that answers late with the old one is not heard */
  #deaf = false;
  #ended = false;
  /** a provider has not answered yet: whether it opens or keeps the key is not known, and nothing is concluded from its silence */
  #asking = false;
  /** unlocks run one after the other: each takes 64 MiB and a core */
  #queue: Promise<unknown> = Promise.resolve();
  #background: Promise<void> = Promise.resolve();

  constructor(deps: DataKeyDeps) {
    this.#deps = deps;
  }

  get key(): Buffer | null {
    return this.#opened?.key ?? null;
  }

  status(): Omit<SecretStoreStatus, 'count'> {
    const available: SecretStoreStatus['available'] = [...this.#available, 'passphrase'];
    if (this.#opened) return { provider: this.#opened.provider, state: 'ready', available };
    const wraps = this.#wraps();
    if (wraps.has('passphrase')) return { provider: 'passphrase', state: 'locked', available };
    if (this.#asking) return { provider: 'none', state: 'asking', available };
    if (this.#keyIsLost(wraps)) return { provider: 'none', state: 'unavailable', available };
    return { provider: 'passphrase', state: 'not_set_up', available };
  }

  /** Opens by a provider that can do it alone; makes the key on a first start where one is available. */
  async open(): Promise<void> {
    this.#asking = true;
    let late = false;
    const asked = this.#ask()
      .catch(() => {})
      .finally(() => {
        this.#asking = false;
        if (this.#ended) return;
        if (this.#opened) this.#wrapInBackground();
        if (late) this.#deps.onLate();
      });
    late = (await within(this.#deps.waitMs, asked)) === null;
  }

  /** Ends when every provider that is needed has answered, however long that takes. */
  async #ask(): Promise<void> {
    const wraps = this.#wraps();
    const answers: Promise<unknown>[] = [];
    for (const provider of this.#deps.providers) {
      const wrapped = wraps.get(provider.name);
      if (wrapped === undefined) continue;
      const answer = provider.unwrap(wrapped).then((key) => this.#adopt(key, provider.name)).catch(() => {});
      answers.push(answer);
      // the next is asked beside one that is slow
      await within(this.#deps.waitMs, answer);
      if (this.#opened) return;
    }
    await Promise.all(answers);
    if (!wraps.has('passphrase')) await this.#create();
  }

  /** Unlocks; where no passphrase is set, sets it. Faults: `wrong_passphrase`, `invalid_request`, `secret_store_unavailable`, `store_write_failed`. */
  unlock(passphrase: string): Promise<Result<void, Fault>> {
    return this.#inTurn(async () => {
      const wrapped = this.#wraps().get('passphrase');
      if (wrapped !== undefined) {
        const checked = await this.#check(wrapped, passphrase);
        if (!checked.ok) return checked;
        this.#adopt(checked.value, 'passphrase');
        this.#wrapInBackground();
        return ok(undefined);
      }
      // while a provider is asked too: it may hold the key of what is sealed
      if (!this.#opened && this.#keyIsLost(this.#wraps())) return err(this.refusal());
      return this.#setPassphrase(passphrase);
    });
  }

  async #setPassphrase(passphrase: string): Promise<Result<void, Fault>> {
    const fresh = !this.#opened;
    const key = this.#opened?.key ?? randomBytes(KEY_BYTES);
    this.#deaf = fresh;
    const stored = await this.#storePassphrase(key, passphrase, { fresh });
    this.#deaf = false;
    if (!stored.ok) return stored;
    this.#adopt(key, 'passphrase');
    this.#wrapInBackground();
    return ok(undefined);
  }

  /** Faults as of unlock, and `conflict` when no passphrase is set. Works while locked, and unlocks then. */
  changePassphrase(passphrase: string, next: string): Promise<Result<void, Fault>> {
    return this.#inTurn(async () => {
      const wrapped = this.#wraps().get('passphrase');
      if (wrapped === undefined) return err(fault('conflict', 'No passphrase is set.', { remedy: 'Set one in Settings.', details: { state: this.status().state } }));
      const checked = await this.#check(wrapped, passphrase);
      if (!checked.ok) return checked;
      const stored = await this.#storePassphrase(checked.value, next, { fresh: false });
      if (stored.ok) this.#adopt(checked.value, 'passphrase');
      return stored;
    });
  }

  /** Why nothing can be sealed or opened now, with what to do. */
  refusal(): Fault {
    const { state } = this.status();
    if (state === 'unavailable') {
      return fault('secret_store_unavailable', 'The stored secrets were sealed with a key that cannot be opened here.', {
        remedy: 'Start Gantry the way they were stored and set a passphrase in Settings, or remove the stored secrets and enter them again.',
      });
    }
    if (state === 'asking') {
      return fault('secret_store_locked', 'The key store of this system has not answered yet.', {
        remedy: 'Look for a window of the system that asks for permission, or wait until it answers.',
        details: { state },
      });
    }
    return state === 'locked'
      ? fault('secret_store_locked', 'The secret store is locked.', { remedy: 'Unlock it in Settings, or with the request secrets:unlock.', details: { state } })
      : fault('secret_store_locked', 'No key store of this system can be used, and no passphrase is set yet; nothing is kept in plain text.', {
          remedy: 'Set a passphrase in Settings, or with the request secrets:unlock.',
          details: { state },
        });
  }

  /** Resolves when wraps that are made beside the work are stored. */
  async settled(): Promise<void> {
    await this.#queue;
    await this.#background;
  }

  close(): void {
    this.#ended = true;
    this.#opened?.key.fill(0);
    this.#opened = null;
  }

  #wraps(): ReadonlyMap<KeyProviderName, string> {
    return this.#deps.store.read(listKeyWraps);
  }

  /** Something is sealed, and none of the wraps can be opened here or by a passphrase. */
  #keyIsLost(wraps: ReadonlyMap<KeyProviderName, string>): boolean {
    return !wraps.has('passphrase') && this.#deps.store.read(countSecrets) > 0;
  }

  #adopt(key: Buffer, provider: KeyProviderName): void {
    if (key.length !== KEY_BYTES) throw new Error('not a data key');
    if (provider !== 'passphrase') this.#available.add(provider);
    if (this.#opened || this.#deaf || this.#ended) return;
    this.#opened = { key, provider };
    this.#deps.onOpened();
  }

  /** A passphrase that was set while the provider was asked stands, and so does what is sealed. */
  #needsKey(): boolean {
    if (this.#ended || this.#opened) return false;
    const wraps = this.#wraps();
    return !wraps.has('passphrase') && !this.#keyIsLost(wraps);
  }

  async #create(): Promise<void> {
    for (const provider of this.#deps.providers) {
      if (!this.#needsKey()) return;
      if (!(await provider.available())) continue;
      const key = randomBytes(KEY_BYTES);
      try {
        const wrapped = await provider.wrap(key);
        await this.#inTurn(async () => {
          if (!this.#needsKey()) return;
          this.#deps.store.writeDurable((db) => {
            deleteKeyWraps(db);
            putKeyWrap(db, provider.name, wrapped, this.#deps.clock.now());
          });
          this.#adopt(key, provider.name);
        });
      } catch {
        continue;
      }
    }
  }

  async #check(wrapped: string, passphrase: string): Promise<Result<Buffer, Fault>> {
    const key = await unwrapWithPassphrase(wrapped, passphrase);
    if (key === 'damaged') return err(fault('secret_store_unavailable', 'The stored key is damaged.', { remedy: 'Restore the data folder from a backup.' }));
    if (key === 'wrong' || (this.#opened && !timingSafeEqual(key, this.#opened.key))) return err(fault('wrong_passphrase', 'This passphrase does not open the secret store.', { field: 'passphrase' }));
    return ok(key);
  }

  async #storePassphrase(key: Buffer, passphrase: string, { fresh }: { readonly fresh: boolean }): Promise<Result<void, Fault>> {
    if (passphrase.length < MIN_PASSPHRASE) return err(fault('invalid_request', `A passphrase has at least ${MIN_PASSPHRASE} characters.`, { field: 'passphrase' }));
    const wrapped = await wrapWithPassphrase(key, passphrase);
    try {
      this.#deps.store.writeDurable((db) => {
        if (fresh) deleteKeyWraps(db);
        putKeyWrap(db, 'passphrase', wrapped, this.#deps.clock.now());
      });
      return ok(undefined);
    } catch (error) {
      const known = storeFault(error);
      if (!known) throw error;
      return err(known);
    }
  }

  /** Every other provider that works here gets its wrap too, so that the next start needs no passphrase, whichever shell it is. */
  #wrapInBackground(): void {
    this.#background = this.#background.then(() => this.#wrapMissing()).catch(() => {});
  }

  async #wrapMissing(): Promise<void> {
    for (const provider of this.#deps.providers) {
      if (this.#available.has(provider.name) || !(await provider.available())) continue;
      const key = this.#opened?.key;
      if (!key) return;
      const wrapped = await provider.wrap(key);
      if (this.#opened?.key !== key) return;
      this.#deps.store.writeDurable((db) => putKeyWrap(db, provider.name, wrapped, this.#deps.clock.now()));
      this.#available.add(provider.name);
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => {});
    return turn;
  }
}
