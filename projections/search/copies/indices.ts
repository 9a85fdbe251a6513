import type { Row, Transaction } from '../../../src/database/database.js';

/** An index of this store in Elasticsearch. */
export interface StoredIndex extends Row {
  /** Larger than that of every earlier index of the store. It is the version of the follower that fills the index. */
  readonly number: number;
  readonly name: string;
  readonly version: number;
  readonly model: string;
  /** The number of the model among those that the store has had. */
  readonly generation: number;
  /**
   * `building`: it is being filled. `serving`: searches read it. `retired`: it must be deleted. There is at most one of each of the
   * first two.
   */
  readonly state: 'building' | 'serving' | 'retired';
  /** The id that the cluster has given it; null before it is known to be made. */
  readonly uuid: string | null;
  /** Operations that it has had at least: one that has had fewer is an older copy. */
  readonly operations: number;
}

const columns = 'number, name, version, model, generation, state, uuid, operations';

/** The indices, oldest first. */
export const storedIndices = (tx: Transaction): Promise<StoredIndex[]> =>
  tx.query<StoredIndex>(`select ${columns} from search_indices order by number`);

export async function indexInState(tx: Transaction, state: StoredIndex['state']): Promise<StoredIndex | null> {
  const [row] = await tx.query<StoredIndex>(`select ${columns} from search_indices where state = $1 order by number`, [
    state,
  ]);
  return row ?? null;
}

/**
 * Begins an index beside the one that serves. Nothing happens while another one is being built.
 * @param names begin the name, which ends with the number of the index
 */
export async function beginIndex(
  tx: Transaction,
  names: string,
  { version, model }: Pick<StoredIndex, 'version' | 'model'>,
): Promise<void> {
  await tx.query(
    `insert into search_indices (number, name, version, model, generation, state)
     select n, $1 || n, $2, $3, coalesce((select generation + case when model = $3 then 0 else 1 end
         from search_indices order by number desc limit 1), 1), 'building'
       from nextval(pg_get_serial_sequence('search_indices', 'number')) n
     on conflict do nothing`,
    [names, version, model],
  );
}

/**
 * Begins another index beside the one that serves, because an index holds vectors of one size and those of the model have another
 * one now.
 */
export async function beginForNewSize(tx: Transaction, model: string): Promise<void> {
  await tx.query("update search_indices set state = 'retired' where state = 'building' and model = $1", [model]);
  const serving = await indexInState(tx, 'serving');
  if (serving?.model === model) await beginIndex(tx, serving.name.replace(/\d+$/, ''), serving);
}

/** Notes that the cluster has made the index. */
export async function noteMade(tx: Transaction, number: number, uuid: string): Promise<void> {
  await tx.query('update search_indices set uuid = $2 where number = $1', [number, uuid]);
}

export async function noteOperations(tx: Transaction, number: number, operations: number): Promise<void> {
  await tx.query('update search_indices set operations = $2 where number = $1 and operations < $2', [
    number,
    operations,
  ]);
}

/** Makes searches use this index, and no other one. */
export async function serveIndex(tx: Transaction, number: number): Promise<void> {
  await tx.query("update search_indices set state = 'retired' where state = 'serving' and number <> $1", [number]);
  await tx.query("update search_indices set state = 'serving' where number = $1 and state = 'building'", [number]);
}

export async function retireIndex(tx: Transaction, number: number): Promise<void> {
  await tx.query("update search_indices set state = 'retired' where number = $1", [number]);
}

/** Copies that one step forgets. */
const forgottenPerStep = 5000;

/**
 * Forgets some of what was sent to an index that the cluster has deleted.
 * @returns whether there may be more
 */
export async function forgetCopies(tx: Transaction, number: number): Promise<boolean> {
  const rows = await tx.query(
    `delete from search_copies where index_number = $1 and memory_id in
       (select memory_id from search_copies where index_number = $1 limit ${forgottenPerStep}) returning 1`,
    [number],
  );
  return rows.length === forgottenPerStep;
}

/** Forgets the index itself, except the newest one, which remembers the generation of the vectors. */
export async function forgetIndex(tx: Transaction, number: number): Promise<void> {
  await tx.query(
    `delete from search_indices where number = $1 and state = 'retired'
       and number < (select max(number) from search_indices)`,
    [number],
  );
}
