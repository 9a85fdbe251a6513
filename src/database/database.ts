/**
 * The interface of a database for the rest of the code. It has two drivers, the embedded PGlite and a PostgreSQL
 * server. Their adapters hide the differences, so the same SQL and the same tests run on both.
 *
 * Both return the same values: int2/int4/int8/float as number (int8 beyond 2^53 is an error), numeric as
 * string, text/uuid as string, bytea as Uint8Array, timestamptz as an RFC 3339 string in UTC with milliseconds,
 * boolean as boolean, json and jsonb as the unparsed text, arrays as arrays of these, null as null.
 */
export type Value =
  | string
  | number
  | boolean
  | Uint8Array
  | null
  | readonly (string | number | boolean | Uint8Array | null)[];

export type Row = Record<string, unknown>;

/** Statements run one after the other, in the order of the calls. */
export interface Reader {
  /**
   * Runs one statement with `$1 … $n` parameters and returns its rows. After an error the transaction is aborted and
   * nothing of it is stored. So `work` must not catch the error.
   */
  query<R extends Row>(sql: string, params?: readonly Value[]): Promise<R[]>;
}

/** Statements that do not depend on each other may be sent together, without waiting for each answer. */
export interface Transaction extends Reader {
  /**
   * Runs a statement that only reads. Those of one moment are sent as one statement, so their rows may come by way of JSON: they have
   * texts, booleans, numbers up to 2^53 and lists of these, but no bytes, times and JSON.
   */
  select<R extends Row>(sql: string, params: readonly Value[]): Promise<R[]>;
  /**
   * Runs a statement that changes rows and returns none. Those of one moment are sent as one statement, so they must not depend on each
   * other, and no two of them may change the same row. A later `query` sees what they did.
   */
  write(sql: string, params: readonly Value[]): Promise<void>;
}

/**
 * The database engine is not available: it failed and is being opened again, it does not answer, or its connections
 * broke. Whether a commit in progress has happened is unknown. The same request may succeed a moment later. The cause
 * is the error of the engine or its driver.
 */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/**
 * Other transactions held what this one needed, for longer than it may wait, or each waited for the other. The database is well, and
 * nothing of this transaction was stored.
 */
export class StoreBusy extends StoreUnavailable {
  override name = 'StoreBusy';
}

/**
 * The store accepts no writes because its disk is nearly full. The transaction has not begun, and reads still work. The
 * message is a sentence for the caller.
 */
export class StoreFull extends Error {
  override name = 'StoreFull';
}

/**
 * The directory of the embedded store is not at its path any more. The transaction has not begun. The message is a sentence for
 * the caller.
 */
export class StoreMoved extends StoreUnavailable {
  override name = 'StoreMoved';
}

/** Whether a transaction was refused before it began, with a sentence that callers and operators are to see. */
export const isRefusedByStore = (error: unknown): error is StoreFull | StoreMoved =>
  error instanceof StoreFull || error instanceof StoreMoved;

/** The store was closed because this process stops. It will answer no further calls. */
export class StoreClosed extends StoreUnavailable {
  override name = 'StoreClosed';
}

/** A server, a database or a role whose settings would lose or change what is stored. The message is a sentence for the operator. */
export class UnfitDatabase extends Error {
  override name = 'UnfitDatabase';
}

/** Every method throws StoreUnavailable while the engine is not available. */
export interface Database {
  /**
   * Runs `work` in one READ COMMITTED transaction and commits it. Durable (on disk, not only in the page cache) when
   * the promise resolves. If `work` throws, everything is rolled back and its error is thrown. If the commit itself
   * fails, the outcome is unknown: the caller must be able to repeat the call. Transactions may run at the same time on
   * a server; on the embedded database they queue.
   * @throws StoreFull before the transaction begins
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs `work` in a read-only transaction; otherwise the same. */
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * The same without a transaction, for what requests read. Its statements see what they see in a transaction of `read`, where each has a
   * snapshot of its own too; those that begin and end one would be two of the three statements of most requests. A statement may not set
   * or lock what is to last until another one, and `write` is refused.
   */
  readEach<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs a statement that is not allowed in a transaction (VACUUM, CHECKPOINT, ALTER SYSTEM). */
  maintain(sql: string): Promise<void>;
  /** Waits for running transactions, then closes the store. Calling it twice is harmless. */
  close(): Promise<void>;
}

/** Transactions and statements of a database since it was opened. */
export interface Work {
  readonly transactions: number;
  /** With those that begin and end transactions. */
  readonly statements: number;
}

/** The connections of a pool, and what was asked of them. */
export interface PoolLoad extends Work {
  /** The work that they are for. */
  readonly pool: 'requests' | 'maintenance';
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
  /** Messages to the thread of the embedded database; a server has none. */
  readonly messages: number;
}

/** An opened store. Its transactions have no time limit, because a check, a replay or a migration may take long. */
export interface OpenedDatabase extends Database {
  /**
   * The same store with time limits, for requests. A statement without an answer, a lock that is not granted and a
   * connection that is not made within seconds fail with StoreUnavailable.
   */
  readonly prompt: Database;
  /** The clock of the server, in milliseconds since 1970; null for a store that is opened in this process and has no other clock. */
  readonly serverClock: (() => Promise<number>) | null;
  /**
   * On a server: runs one statement that is a transaction of its own, with the time limits of requests. Those that begin and end a
   * transaction would be two of three. Null for a store that is opened in this process.
   */
  readonly statement: Reader['query'] | null;
  pools(): readonly PoolLoad[];
  /** Runs `work` while no other process runs such work on this store. Only one process may prepare a store at a time. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}
