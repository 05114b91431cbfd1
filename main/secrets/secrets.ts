import { randomBytes, randomUUID } from 'node:crypto';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import type { Notice } from '../../shared/notice.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { SecretStoreStatus } from '../../shared/settings.ts';
import type { Clock } from '../clock.ts';
import type { Store } from '../store/database.ts';
import { countSecrets, deleteSecretRow, deleteSecretRowsOf, findSecretRef, getSecretRow, listKeyWraps, listSecretRows, putSecretRow } from '../store/secrets.ts';
import type { SecretRow } from '../store/secrets.ts';
import { storeFault } from '../store/store-fault.ts';
import { DataKey } from './data-key.ts';
import { wrapWithPassphrase } from './passphrase-wrap.ts';
import { keychainProvider, osKeychain } from './keychain.ts';
import type { KeychainPort } from './keychain.ts';
import { FormCache } from './form-cache.ts';
import type { KnownSecret } from './mask.ts';
import { safeStorageProvider } from './safe-storage.ts';
import type { SafeStoragePort } from './safe-storage.ts';
import { KEY_BYTES, seal, unseal } from './seal.ts';

export interface SecretsDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Electron's, where there is one. */
  readonly safeStorage?: SafeStoragePort;
  /** The system's own where absent; `off` (or GANTRY_KEYCHAIN=off) leaves it alone. */
  readonly keychain?: KeychainPort | 'off';
  /** GANTRY_PASSPHRASE is taken from it, and out of it, so that no child inherits it. */
  readonly env?: Record<string, string | undefined>;
  /** Status or values changed without a call that says so: a keychain that answered late. */
  readonly onChange?: () => void;
  /** How long the start waits for the keychain, in ms (1,500); until it answers the state is `asking`. */
  readonly keychainWaitMs?: number;
  /** How long a value that was replaced or removed is still masked, in ms (60,000): the process that was started with it may still speak. */
  readonly retiredMs?: number;
}

/** Different values of variables in one run of the host. */
const MAX_VARIABLES = 1000;

const contextOf = (row: Pick<SecretRow, 'ref' | 'serverId' | 'place'>): readonly string[] => [row.ref, row.serverId, row.place];

/**
 * Secret values, sealed one by one (AES-256-GCM) under the data key. A value goes in, is replaced or removed; it never comes out to a window,
 * only to its own server's launch through `reveal`. Nothing is ever stored in plain text.
 */
export class Secrets {
  readonly #deps: SecretsDeps;
  readonly #dataKey: DataKey;
  /** of the known values, for every masker in this thread */
  readonly forms = new FormCache();
  #known: readonly KnownSecret[] = [];
  /** of the host's environment, by variable and value; never stored */
  readonly #variables = new Map<string, KnownSecret>();
  readonly #retiring = new Set<NodeJS.Timeout>();
  #notices: readonly Notice[] = [];

  /** Opens what can be opened without asking: by a provider, else by GANTRY_PASSPHRASE (for a host without a window). */
  static async open(deps: SecretsDeps): Promise<Secrets> {
    const secrets = new Secrets(deps);
    await secrets.#dataKey.open();
    await secrets.#takePassphrase(deps.env ?? process.env);
    await secrets.#prepareForms();
    return secrets;
  }

  private constructor(deps: SecretsDeps) {
    this.#deps = deps;
    const keychain = (deps.env ?? process.env)['GANTRY_KEYCHAIN'] === 'off' ? 'off' : deps.keychain;
    this.#dataKey = new DataKey({
      store: deps.store,
      clock: deps.clock,
      waitMs: deps.keychainWaitMs ?? 1500,
      providers: [
        ...(deps.safeStorage ? [safeStorageProvider(deps.safeStorage)] : []),
        ...(keychain === 'off' ? [] : [keychainProvider(keychain ? async () => keychain : osKeychain)]),
      ],
      onOpened: () => this.#loadKnown(),
      onLate: () => void this.#prepareForms().finally(() => deps.onChange?.()),
    });
  }

  status(): SecretStoreStatus {
    return { ...this.#dataKey.status(), count: this.#deps.store.read(countSecrets) };
  }

  notices(): readonly Notice[] {
    return this.#notices;
  }

  /** Sets the passphrase where none is set, else unlocks with it. Faults: `wrong_passphrase`, `invalid_request`, `secret_store_unavailable`, `store_write_failed`. */
  async unlock(passphrase: string): Promise<Result<SecretStoreStatus, Fault>> {
    const unlocked = await this.#dataKey.unlock(passphrase);
    if (!unlocked.ok) return unlocked;
    await this.#prepareForms();
    return ok(this.status());
  }

  /** Faults as of unlock, and `conflict` when no passphrase is set. */
  async changePassphrase(passphrase: string, newPassphrase: string): Promise<Result<SecretStoreStatus, Fault>> {
    const changed = await this.#dataKey.changePassphrase(passphrase, newPassphrase);
    return changed.ok ? ok(this.status()) : changed;
  }

  /**
   * Seals a value for one place of one server (`env.API_KEY`, `header.Authorization`, `arg.2`, `model.key`) and returns its reference.
   * A place that has one keeps it: rotating a secret moves no fingerprint. Faults: `secret_store_locked`, `secret_store_unavailable`,
   * `invalid_request`, `store_write_failed`.
   */
  put(input: { readonly serverId: string; readonly place: string; readonly value: string }): Result<string, Fault> {
    const key = this.#dataKey.key;
    if (!key) return err(this.#dataKey.refusal());
    if (input.value === '' || !input.value.isWellFormed()) return err(fault('invalid_request', 'A secret is text that is not empty.', { field: input.place }));
    const { store, clock } = this.#deps;
    try {
      const ref = store.writeDurable((db) => {
        const id = { ref: findSecretRef(db, input.serverId, input.place) ?? `secret-${randomUUID()}`, serverId: input.serverId, place: input.place };
        putSecretRow(db, { ...id, ...seal(key, Buffer.from(input.value, 'utf8'), contextOf(id)), updatedAt: clock.now() });
        return id.ref;
      });
      this.#retire((one) => one.ref === ref && one.value !== input.value);
      this.#known = [{ ref, value: input.value }, ...this.#known.filter((one) => one.ref !== ref || one.value !== input.value)];
      return ok(ref);
    } catch (error) {
      const known = storeFault(error);
      if (!known) throw error;
      return err(known);
    }
  }

  /** The value, for the launch of its own server only. Faults: `secret_store_locked`, `secret_store_unavailable`, `not_found`, `secret_unreadable`. */
  reveal(ref: string): Result<string, Fault> {
    const key = this.#dataKey.key;
    if (!key) return err(this.#dataKey.refusal());
    const row = this.#deps.store.read((db) => getSecretRow(db, ref));
    if (!row) return err(fault('not_found', 'This secret is not stored.', { details: { ref } }));
    const plain = unseal(key, row, contextOf(row));
    if (plain) return ok(plain.toString('utf8'));
    return err(fault('secret_unreadable', `The secret for ${row.place} cannot be opened.`, { remedy: 'Enter it again.', details: { ref, serverId: row.serverId, place: row.place } }));
  }

  /** Every value in plain text, for a backup that seals them anew. Errors: as of reveal, of the first that cannot be opened. */
  openAll(): Result<{ ref: string; serverId: string; place: string; value: string }[], Fault> {
    const values: { ref: string; serverId: string; place: string; value: string }[] = [];
    for (const { ref, serverId, place } of this.list()) {
      const value = this.reveal(ref);
      if (!value.ok) return value;
      values.push({ ref, serverId, place, value: value.value });
    }
    return ok(values);
  }

  /**
   * Seals values for another database of this machine: by the key of this store where the system opened it, so that it opens the other, too;
   * else by a new key that the passphrase opens.
   */
  async sealAll(values: readonly { readonly ref: string; readonly serverId: string; readonly place: string; readonly value: string }[], passphrase: string): Promise<{ readonly rows: readonly SecretRow[]; readonly wraps: ReadonlyMap<string, string> }> {
    const own = this.#dataKey.status().provider === 'passphrase' ? null : this.#dataKey.key;
    const key = own ?? randomBytes(KEY_BYTES);
    const wraps = own ? this.#deps.store.read(listKeyWraps) : new Map([['passphrase', await wrapWithPassphrase(key, passphrase)]]);
    return { rows: values.map(({ value, ...id }) => ({ ...id, ...seal(key, Buffer.from(value, 'utf8'), contextOf(id)), updatedAt: this.#deps.clock.now() })), wraps };
  }

  remove(ref: string): void {
    this.#deps.store.write((db) => deleteSecretRow(db, ref));
    this.#retire((one) => one.ref === ref);
  }

  removeForServer(serverId: string): void {
    const refs = new Set(this.list().filter((row) => row.serverId === serverId).map((row) => row.ref));
    this.#deps.store.write((db) => deleteSecretRowsOf(db, serverId));
    this.#retire((one) => refs.has(one.ref));
  }

  /** Where a secret is set, and since when; works while locked. Times in ms since epoch. */
  list(): { ref: string; serverId: string; place: string; updatedAt: number }[] {
    return this.#deps.store.read(listSecretRows).map(({ ref, serverId, place, updatedAt }) => ({ ref, serverId, place, updatedAt }));
  }

  /** A variable of the host's environment that a server was started with: its value is masked like a sealed one for as long as the host runs, and stored nowhere. */
  remember(variable: string, value: string): void {
    const key = JSON.stringify([variable, value]);
    if (value === '' || !value.isWellFormed() || this.#variables.has(key) || this.#variables.size >= MAX_VARIABLES) return;
    const one = { ref: `variable:${variable}`, value };
    this.#variables.set(key, one);
    this.#known = [one, ...this.#known];
  }

  /** For the masker and the input check, with what was replaced or removed in the last minute; the same array until something changes; while locked only variables. */
  knownValues(): readonly KnownSecret[] {
    return this.#known;
  }

  /** Resolves when the wraps of further providers are stored. */
  settled(): Promise<void> {
    return this.#dataKey.settled();
  }

  /** Forgets the key and the values. */
  close(): void {
    this.#dataKey.close();
    for (const timer of this.#retiring) clearTimeout(timer);
    this.#retiring.clear();
    this.#known = [];
    this.forms.keep([]);
    this.#variables.clear();
  }

  /** Values leave the masker later than the store; in memory only. Each goes by identity: one that was put again meanwhile is another entry and stays. */
  #retire(which: (one: KnownSecret) => boolean): void {
    const leaving = new Set(this.#known.filter(which));
    if (leaving.size === 0) return;
    const timer = setTimeout(() => {
      this.#retiring.delete(timer);
      this.#known = this.#known.filter((one) => !leaving.has(one));
    }, this.#deps.retiredMs ?? 60_000).unref();
    this.#retiring.add(timer);
  }

  /** Ahead of the first text that is masked, where nothing asks before. */
  #prepareForms(): Promise<void> {
    return this.forms.prepare(this.#known.map(({ value }) => value));
  }

  #loadKnown(): void {
    const key = this.#dataKey.key;
    if (!key) return;
    const known: KnownSecret[] = [];
    for (const row of this.#deps.store.read(listSecretRows)) {
      const plain = unseal(key, row, contextOf(row));
      if (plain) known.push({ ref: row.ref, value: plain.toString('utf8') });
      else this.#note({ code: 'secret_unreadable', at: this.#deps.clock.now(), message: `The secret for ${row.place} of ${row.serverId} cannot be opened; enter it again.`, details: { ref: row.ref, serverId: row.serverId, place: row.place } });
    }
    this.#known = [...this.#variables.values(), ...known];
  }

  async #takePassphrase(env: Record<string, string | undefined>): Promise<void> {
    const passphrase = env['GANTRY_PASSPHRASE'];
    delete env['GANTRY_PASSPHRASE'];
    if (!passphrase || this.#dataKey.key) return;
    const unlocked = await this.unlock(passphrase);
    if (unlocked.ok) return;
    const message = `GANTRY_PASSPHRASE was not accepted: ${unlocked.error.message}`;
    this.#note({ code: 'secrets_passphrase_refused', at: this.#deps.clock.now(), message, details: { code: unlocked.error.code } });
  }

  #note(notice: Notice): void {
    this.#notices = [...this.#notices, notice];
  }
}
