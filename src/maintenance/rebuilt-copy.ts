import type { OnProgress, Projection } from '../../projections/projection.js';
import type { Database, Transaction } from '../database/database.js';
import type { LeftOut } from '../ledger/check/unusable.js';
import { atHeads, catchUp } from './replaying.js';
import { openShadowSchema, type ShadowSchema } from './shadow-schema.js';

export type { OnProgress };

/** A read model built a second time, beside the one that serves. */
export interface RebuiltCopy {
  /** The schemas of the tables that serve and of those that were rebuilt, quoted for SQL. */
  readonly live: string;
  readonly shadow: string;
  /**
   * Runs `work` in a transaction in which no append is possible, and both the live tables and the copy are at the heads of all
   * chains. Appends wait for it, so it should be short. If it throws, the copy cannot be used any more and must be dropped.
   */
  level<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Removes the tables of the copy that were not moved. */
  drop(): Promise<void>;
}

/** The parts of a read model that a replay needs. */
type Replayed = Pick<Projection, 'ddl' | 'indexes' | 'fold'>;

/**
 * Replays the whole ledger into tables of their own in the schema `schema`, in short transactions between which the
 * service continues. A killed replay leaves that schema, and the next one of the same name drops it and starts over.
 * @param leftOut entries and texts that are left out; with it, entries that are missing are passed over
 * @throws when an entry is missing
 */
export async function buildCopy(
  database: Database,
  projection: Replayed,
  schema: string,
  onProgress: OnProgress,
  leftOut: LeftOut | null = null,
): Promise<RebuiltCopy> {
  const schemas = await openShadowSchema(database, `${projection.ddl}${projection.indexes ?? ''}`, schema);
  const replay = { fold: projection.fold, positions: new Map<string, number>(), leftOut, enter: schemas.enter };
  await catchUp(database, replay, onProgress).catch(dropAnd(schemas));
  return { ...schemas, level: (work) => atHeads(database, replay, work) };
}

/** Handles an error while the copy is built: drops the copy, then throws the error. */
export function dropAnd(schemas: ShadowSchema): (error: unknown) => Promise<never> {
  return async (error) => {
    await schemas.drop().catch(() => undefined);
    throw error;
  };
}
