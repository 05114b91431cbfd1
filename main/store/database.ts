import DatabaseConstructor from 'better-sqlite3';
import type BetterSqlite3 from 'better-sqlite3';
import { addFoldText } from './fold-text.ts';
import { foldedText, hasSteps, insertStep, STEP_SLOTS, stepEnds, takeOver, writeRows } from './steps.ts';
import type { RunRows, StepEnds } from './steps.ts';
import { sqliteCode, storeFault } from './store-fault.ts';

type Value = string | number | bigint | Buffer | null;
type Params = readonly Value[] | Readonly<Record<string, Value>>;

/** Reads only. Rows come out as unknown: each noun file parses what it reads (style habit 7). */
export class ReadDb {
  protected readonly raw: BetterSqlite3.Database;
  readonly #statements = new Map<string, BetterSqlite3.Statement>();
  readonly #made = new Map<string, { readonly text: string; readonly value: unknown }>();
  constructor(raw: BetterSqlite3.Database) {
    this.raw = raw;
  }
  protected statement(sql: string): BetterSqlite3.Statement {
    let s = this.#statements.get(sql);
    if (!s) {
      s = this.raw.prepare(sql);
      this.#statements.set(sql, s);
    }
    return s;
  }
  all(sql: string, params: Params = []): unknown[] {
    return this.statement(sql).all(params as never);
  }
  get(sql: string, params: Params = []): unknown {
    return this.statement(sql).get(params as never);
  }

  /** What was made of a row before, as long as `text`, which stands for all that it was made of, is the same. */
  madeOf<T>(place: string, text: string, make: () => T): T {
    const before = this.#made.get(place);
    if (before?.text === text) return before.value as T;
    const value = make();
    this.#made.set(place, { text, value });
    return value;
  }
}

/** Exists only inside Store.write / Store.writeDurable, so that no write happens outside a transaction. */
export class WriteDb extends ReadDb {
  /** Returns the number of changed rows. */
  run(sql: string, params: Params = []): number {
    return this.statement(sql).run(params as never).changes;
  }
  /** Returns the new row's integer key. */
  insert(sql: string, params: Params): number {
    return Number(this.statement(sql).run(params as never).lastInsertRowid);
  }
}

export interface Store {
  readonly path: string;
  /** Sees every step: those that wait are taken over first. */
  read<T>(fn: (db: ReadDb) => T): T;
  /** One immediate transaction; rolled back when fn throws. synchronous=NORMAL. `storeFault(error)` tells a refusing disk from a bug. */
  write<T>(fn: (db: WriteDb) => T): T;
  /** The same with synchronous=FULL: for rows that must survive a power loss (A24). */
  writeDurable<T>(fn: (db: WriteDb) => T): T;
  /**
   * One transaction, as write and writeDurable, that commits the rows of a step as one row where that is enough (a call's commit then writes one tree
   * instead of seven). They are taken into their tables before anything is read or written here, in a quiet moment, and at the next start.
   */
  writeStep(rows: RunRows, durable: boolean): void;
  /** Takes over the steps that wait, for a reader with a connection of its own. A disk that refuses leaves them where they are. */
  settle(): void;
  /** Of the last write; the next one that succeeds makes it `ok` again. `detail` is SQLite's code. */
  state(): { readonly state: 'ok' | 'read_only' | 'write_failed'; readonly detail?: string };
  close(): void;
}

/** The log is brought into the database in a quiet moment; in the middle of the work only when it has grown to this many pages (8 MB). */
const MOST_LOG_PAGES = 2000;
const QUIET_MS = 300;
const NO_STEPS: StepEnds = { done: 0, last: 0 };
/** So many steps wait for a quiet moment; more are taken over between two pieces of work. */
const MOST_WAITING = (STEP_SLOTS * 3) / 4;

/** better-sqlite3 with WAL; one connection, one writer (A22, A23). */
export class SqliteStore implements Store {
  readonly path: string;
  readonly #raw: BetterSqlite3.Database;
  readonly #db: WriteDb;
  readonly #onClose: (() => void) | undefined;
  readonly #step: Readonly<Record<'begin' | 'commit' | 'rollback', BetterSqlite3.Statement>>;
  #quiet: NodeJS.Timeout | null = null;
  #failure: string | null = null;
  #durable = false;
  #inside = false;
  /** null until the table was there and read: steps of the last process may wait in it */
  #steps: StepEnds | null = null;
  #soon: NodeJS.Immediate | null = null;
  /** Hears of steps that their tables did not take; they are kept. */
  onRefused: ((count: number) => void) | null = null;

  /** `onClose` runs once, after the connection is closed (the instance lock). Throws what SQLite throws when the file cannot be opened. */
  constructor(path: string, options: { readonly onClose?: () => void } = {}) {
    this.path = path;
    this.#onClose = options.onClose;
    this.#raw = new DatabaseConstructor(path);
    try {
      assertSqliteVersion(String(this.#raw.prepare('SELECT sqlite_version() AS v').pluck().get()));
      // of a new file only: unused pages can be given back to the disk in slices
      this.#raw.pragma('auto_vacuum = INCREMENTAL');
      this.#raw.pragma('journal_mode = WAL');
      this.#raw.pragma('synchronous = NORMAL');
      this.#raw.pragma('foreign_keys = ON');
      this.#raw.pragma('busy_timeout = 5000');
      this.#raw.pragma('trusted_schema = OFF');
      this.#raw.pragma('cell_size_check = ON');
      // what is deleted is overwritten in the pages that are written anyway
      this.#raw.pragma('secure_delete = FAST');
      // spilled sorts hold rows too: keep them out of the system's temporary folder
      this.#raw.pragma('temp_store = MEMORY');
      this.#raw.pragma(`wal_autocheckpoint = ${MOST_LOG_PAGES}`);
      // on macOS a plain fsync leaves the data in the drive's cache (A24); no effect elsewhere
      this.#raw.pragma('fullfsync = ON');
      addFoldText(this.#raw);
    } catch (error) {
      this.#raw.close();
      throw error;
    }
    this.#db = new WriteDb(this.#raw);
    this.#step = { begin: this.#raw.prepare('BEGIN IMMEDIATE'), commit: this.#raw.prepare('COMMIT'), rollback: this.#raw.prepare('ROLLBACK') };
  }

  /** For migrations and for tests that look at the file. */
  get connection(): BetterSqlite3.Database {
    this.settle();
    return this.#raw;
  }

  read<T>(fn: (db: ReadDb) => T): T {
    this.settle();
    return fn(this.#db);
  }

  write<T>(fn: (db: WriteDb) => T): T {
    return this.#transaction(fn, false);
  }

  writeDurable<T>(fn: (db: WriteDb) => T): T {
    return this.#transaction(fn, true);
  }

  writeStep(rows: RunRows, durable: boolean): void {
    const text = this.#inside ? null : foldedText(rows);
    if (text === null) return this.#transaction((db) => writeRows(db, rows), durable);
    if (this.#waiting >= STEP_SLOTS) this.#takeOver();
    const { done, last } = this.#ends;
    this.#transaction((db) => insertStep(db, last + 1, rows.run.id, text), durable, true);
    this.#steps = { done, last: last + 1 };
    if (this.#waiting >= MOST_WAITING) this.#soon ??= setImmediate(() => this.#takeOverSoon());
  }

  settle(): void {
    try {
      if (!this.#inside && this.#waiting > 0) this.#takeOver();
    } catch (error) {
      // they are on record and are taken over when the disk takes them; what is read until then ends before them
      if (!sqliteCode(error).startsWith('SQLITE_')) throw error;
    }
  }

  get #ends(): StepEnds {
    if (this.#steps === null && hasSteps(this.#db)) this.#steps = stepEnds(this.#db);
    return this.#steps ?? NO_STEPS;
  }

  get #waiting(): number {
    const { done, last } = this.#ends;
    return last - done;
  }

  /** A transaction that does nothing else. */
  #takeOver(): void {
    this.#transaction(() => {}, false);
  }

  #takeOverSoon(): void {
    this.#soon = null;
    if (this.#raw.open) this.settle();
  }

  #transaction<T>(fn: (db: WriteDb) => T, durable: boolean, isStep = false): T {
    if (this.#inside) {
      // synchronous cannot change inside a transaction, so the inner rows would only look durable
      if (durable && !this.#durable) throw new Error('writeDurable inside write: the outer transaction decides, make that one durable');
      return fn(this.#db);
    }
    if (durable !== this.#durable) {
      this.#raw.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
      this.#durable = durable;
    }
    this.#inside = true;
    try {
      this.#step.begin.run();
      const takesOver = !isStep && this.#waiting > 0;
      const refused = takesOver ? takeOver(this.#db) : 0;
      const value = fn(this.#db);
      this.#step.commit.run();
      this.#failure = null;
      if (takesOver) this.#steps = { done: this.#ends.last, last: this.#ends.last };
      if (refused > 0) this.onRefused?.(refused);
      this.#whenQuiet();
      return value;
    } catch (error) {
      // a full disk or an I/O error has rolled back by itself
      if (this.#raw.inTransaction) this.#step.rollback.run();
      if (storeFault(error)) this.#failure = sqliteCode(error);
      throw error;
    } finally {
      this.#inside = false;
    }
  }

  /** A checkpoint waits for the disk, so that it is kept off the path of calls. */
  #whenQuiet(): void {
    if (this.#quiet) this.#quiet.refresh();
    else this.#quiet = setTimeout(() => this.#tidy(), QUIET_MS).unref();
  }

  #tidy(): void {
    this.settle();
    try {
      this.#raw.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // a refusing disk is told by the next write; the log keeps what was committed
    }
  }

  unusedPages(): number {
    return Number(this.#raw.pragma('freelist_count', { simple: true }));
  }

  /** Moves up to `pages` unused pages out of the file; gives how many are left. A file that was made without this keeps them for later rows. */
  giveBack(pages: number): number {
    this.#raw.exec(`PRAGMA incremental_vacuum(${Math.trunc(pages)})`);
    return this.unusedPages();
  }

  /** Brings the log into the database and cuts it off, where nobody reads in it. */
  emptyLog(): void {
    this.#raw.pragma('wal_checkpoint(TRUNCATE)');
  }

  /** Once for a file of an older Gantry, at its start: rewrites it, so that `giveBack` works. About a second for 100 MB. */
  makeShrinkable(): void {
    if (Number(this.#raw.pragma('auto_vacuum', { simple: true })) === 2) return;
    this.#raw.pragma('auto_vacuum = INCREMENTAL');
    this.#raw.exec('VACUUM');
  }

  state(): { readonly state: 'ok' | 'read_only' | 'write_failed'; readonly detail?: string } {
    if (this.#failure?.startsWith('SQLITE_READONLY')) return { state: 'read_only', detail: this.#failure };
    return this.#failure ? { state: 'write_failed', detail: this.#failure } : { state: 'ok' };
  }

  close(): void {
    if (!this.#raw.open) return;
    this.settle();
    if (this.#quiet) clearTimeout(this.#quiet);
    if (this.#soon) clearImmediate(this.#soon);
    this.#raw.close();
    this.#onClose?.();
  }
}

/** Up to 3.51.2 two connections could lose committed rows when the write-ahead log was reset (A23). */
export const MIN_SQLITE = '3.51.3';
const assertSqliteVersion = (version: string): void => {
  if (version.localeCompare(MIN_SQLITE, 'en', { numeric: true }) < 0) throw new Error(`SQLite ${version} is too old: ${MIN_SQLITE} or newer is needed`);
};
