import { largerFirst } from '../../src/base/order.js';

/** The position of a document: its namespace and its number in the order of writing. */
export interface Place {
  readonly namespaceId: string;
  readonly seq: number;
}

/** SQL of the version of a row. A row that was written again, or whose table was rebuilt, has another version. */
export const versionOf = (row: string): string =>
  `${row}.tableoid::text || ' ' || ${row}.xmin::text || ' ' || ${row}.ctid::text`;

/** A place as one text. */
export const placeKey = ({ namespaceId, seq }: Place): string => `${namespaceId} ${seq}`;

/** The place of a memory. */
export interface StoredPlace extends Place {
  readonly id: string;
}

/** A memory that may be returned, with the facts that the ranking needs. */
export interface RankedMemory extends StoredPlace {
  /** The number of its words and wholes. */
  readonly length: number;
  readonly asks: boolean;
  readonly saysWhen: boolean;
  readonly who: string | null;
  /** The version of its row in the index. A memory that was indexed again has another one. */
  readonly version: string;
  /** Whether it has neither a source nor a run, so that no memory was written around it. */
  readonly isAlone: boolean;
  /** The `placeKey` of its place, by which caches know it. */
  readonly key: string;
}

/** A memory as the database gives it, with the columns `rankedColumns`. */
export type RankedRow = Omit<RankedMemory, 'key'>;

/** The id that the last memory has. */
let namespace = '';

/**
 * The same text object for the memories of a namespace. Each row has a text of its own, and comparing two equal ones takes longer than
 * seeing that they are the same: with that, the memories of a search are grouped by namespace in 0.6 of the time.
 */
function shared(namespaceId: string): string {
  if (namespaceId !== namespace) namespace = namespaceId;
  return namespace;
}

/** Named one by one: a copy of all columns at once is an object whose fields are looked up in a table, four times as slow to rank. */
export const keyed = (row: RankedRow): RankedMemory => ({
  id: row.id,
  namespaceId: shared(row.namespaceId),
  seq: row.seq,
  length: row.length,
  asks: row.asks,
  saysWhen: row.saysWhen,
  who: row.who,
  isAlone: row.isAlone,
  version: row.version,
  key: placeKey(row),
});

/** SQL of the columns of a `RankedMemory` from rows `d` of `search_documents` and `m` of the memories. */
export const rankedColumns = `d.memory_id::text as id, d.namespace_id::text as "namespaceId", d.seq, d.length, d.asks,
       d.says_when as "saysWhen", d.who::text, m.source is null and m.run_id is null as "isAlone",
       d.version`;

/** The bytes of a memory in the cache, with its names and its place. */
export const bytesOfMemory = 400;

/** A place with the score by which candidates are chosen. */
export interface ScoredPlace extends Place {
  readonly score: number;
}

/** Best first. Places with equal scores have an order too, so that every index chooses the same ones. */
export const byScoreAndPlace = (a: ScoredPlace, b: ScoredPlace): number =>
  largerFirst(a.score, b.score) || a.seq - b.seq || compareText(a.namespaceId, b.namespaceId);

export const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/**
 * SQL of the rows `d` of `search_documents` for the namespaces $1 and numbers $2. `offset 0` forces one look-up for each row.
 * Without it the planner reads the whole table for a hash join, which took 14 of 18 ms at 4,000 memories. Documents that are
 * still being added have no model yet and are left out.
 */
export const documentsAt = `unnest((select $1::uuid[]), (select $2::bigint[])) r(namespace_id, seq) cross join lateral (
         select *, ${versionOf('search_documents')} as version from search_documents where namespace_id = r.namespace_id and seq = r.seq and model <> '' offset 0) d`;
