/**
 * What the rest of the code knows of a database. Two drivers stand behind it, the embedded PGlite and a PostgreSQL
 * server; the differences between them end in their adapters, so the same SQL and the same tests run on both.
 *
 * Values come back the same from both: int2/int4/int8/float as number (int8 beyond 2^53 is an error), numeric as
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

/**
 * Statements inside one transaction run one after the other, in the order in which they were asked for; those that do not
 * depend on each other may be asked for at once, which saves the way there and back.
 */
export interface Transaction {
  /**
   * Runs one statement with `$1 … $n` parameters and returns its rows.
   * An error leaves the transaction aborted: let it out of `work`, nothing of it is kept.
   */
  query<R extends Row>(sql: string, params?: readonly Value[]): Promise<R[]>;
}

/**
 * The engine behind the store is away: it failed and is being opened again, it does not answer, or its connections broke.
 * Whether a commit that was under way has happened is unknown. The same request may succeed a moment later. The cause is
 * what the engine or its driver said.
 */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/**
 * The store takes no writes because its disk is nearly full; nothing of the transaction was begun, and reads go on. The
 * message is a sentence for the caller.
 */
export class StoreFull extends Error {
  override name = 'StoreFull';
}

/** The store was closed: this process stops, and nothing that it asks for will be done any more. */
export class StoreClosed extends StoreUnavailable {
  override name = 'StoreClosed';
}

/** Every method throws StoreUnavailable while the engine is away. */
export interface Database {
  /**
   * Runs `work` in one READ COMMITTED transaction and commits it.
   * Durable (on disk, not only in the page cache) when the promise resolves. If `work` throws, everything is rolled back
   * and its error comes out. If the commit itself fails the outcome is unknown: the caller must be able to ask again.
   * Transactions may run at the same time on a server; on the embedded database they queue.
   * @throws StoreFull before anything is begun
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs `work` in a transaction that may only read; otherwise the same. */
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs a statement that may not stand in a transaction (VACUUM, CHECKPOINT, ALTER SYSTEM). */
  maintain(sql: string): Promise<void>;
  /** Waits for running transactions, then lets go of the store. Calling it twice is harmless. */
  close(): Promise<void>;
}

/**
 * A store as it was opened: its transactions may take as long as they take, as those of a check, a replay or a migration
 * do.
 */
export interface OpenedDatabase extends Database {
  /**
   * The same store for all that somebody waits for. A statement that is not answered, a lock that is not given and a
   * connection that is not made within seconds end in StoreUnavailable.
   */
  readonly prompt: Database;
  /** Runs `work` while no other process on this store is in such work: to get a store ready is for one at a time. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}
