import DatabaseConstructor from 'better-sqlite3';
import type BetterSqlite3 from 'better-sqlite3';

type Value = string | number | bigint | Buffer | null;
type Params = readonly Value[] | Readonly<Record<string, Value>>;

/** Reads only. Rows come out as unknown: each noun file parses what it reads (style habit 7). */
export class ReadDb {
  protected readonly raw: BetterSqlite3.Database;
  readonly #statements = new Map<string, BetterSqlite3.Statement>();
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
}

/** Exists only inside Store.write / Store.writeDurable, so that no write happens outside a transaction. */
export class WriteDb extends ReadDb {
  /** Returns the number of changed rows. */
  run(sql: string, params: Params = []): number {
    return this.statement(sql).run(params as never).changes;
  }
}

export interface Store {
  readonly path: string;
  read<T>(fn: (db: ReadDb) => T): T;
  /** One immediate transaction; rolled back when fn throws. synchronous=NORMAL. */
  write<T>(fn: (db: WriteDb) => T): T;
  /** The same with synchronous=FULL: for rows that must survive a power loss (A24). */
  writeDurable<T>(fn: (db: WriteDb) => T): T;
  state(): { readonly state: 'ok' | 'read_only' | 'write_failed'; readonly detail?: string };
  close(): void;
}

/** better-sqlite3 with WAL; one connection, one writer (A22, A23). */
export class SqliteStore implements Store {
  readonly path: string;
  readonly #raw: BetterSqlite3.Database;
  readonly #db: WriteDb;
  #failure: string | null = null;
  #durable = false;

  constructor(path: string) {
    this.path = path;
    this.#raw = new DatabaseConstructor(path);
    this.#raw.pragma('journal_mode = WAL');
    this.#raw.pragma('synchronous = NORMAL');
    this.#raw.pragma('foreign_keys = ON');
    this.#raw.pragma('busy_timeout = 5000');
    this.#db = new WriteDb(this.#raw);
  }

  get connection(): BetterSqlite3.Database {
    return this.#raw;
  }

  read<T>(fn: (db: ReadDb) => T): T {
    return fn(this.#db);
  }

  write<T>(fn: (db: WriteDb) => T): T {
    return this.#transaction(fn, false);
  }

  writeDurable<T>(fn: (db: WriteDb) => T): T {
    return this.#transaction(fn, true);
  }

  #transaction<T>(fn: (db: WriteDb) => T, durable: boolean): T {
    if (this.#raw.inTransaction) return fn(this.#db);
    if (durable !== this.#durable) {
      this.#raw.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
      this.#durable = durable;
    }
    try {
      const value = this.#raw.transaction(() => fn(this.#db)).immediate();
      this.#failure = null;
      return value;
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (typeof code === 'string' && /^SQLITE_(FULL|IOERR|READONLY|CORRUPT|CANTOPEN)/.test(code)) this.#failure = code;
      throw error;
    }
  }

  state(): { readonly state: 'ok' | 'read_only' | 'write_failed'; readonly detail?: string } {
    if (this.#raw.readonly) return { state: 'read_only' };
    return this.#failure ? { state: 'write_failed', detail: this.#failure } : { state: 'ok' };
  }

  close(): void {
    this.#raw.close();
  }
}
