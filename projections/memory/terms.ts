import type { Transaction } from '../../src/database/database.js';

/**
 * An index of the memories by key and value of their metadata. It contains 64-bit hashes, so it gives the memories that may
 * pass a filter, and the filter then compares the metadata. It is not a GIN index, because that keeps values of deleted
 * memories.
 */
export const termsDdl = `
    create table memory_terms (
      term bigint not null,
      seq bigint not null,
      memory_id uuid not null,
      primary key (term, seq, memory_id)
    );
`;

/** Of metadata with more keys, only the first ones up to this number are in the table, and the memory is under `moreKeys` as well. */
const indexedKeys = 64;

/**
 * SQL of the hash of a value (jsonb) under a key. PostgreSQL's own hash of jsonb is the same for values that are equal,
 * such as 1 and 1.0.
 */
export const termOfValue = (workspaceId: string, key: string, value: string): string =>
  `hashtextextended(${key}, jsonb_hash_extended(${value}, hashtextextended(${workspaceId}::text, 0)))`;

/** SQL of the hash that marks memories with more keys than the table holds. */
export const moreKeys = (workspaceId: string): string => `hashtextextended(${workspaceId}::text, 1)`;

/** SQL of the terms of the memories `m`. */
const terms = `
  select distinct m.seq, m.id, ${termOfValue('m.workspace_id', 'e.key', 'e.value')} as term
    from m cross join lateral (select key, value from jsonb_each(m.metadata) limit ${indexedKeys}) e
  union all
  select m.seq, m.id, ${moreKeys('m.workspace_id')} from m
   where (select count(*) from jsonb_object_keys(m.metadata)) > ${indexedKeys}`;

const those = (ids: string): string => `with m as materialized (
   select id, workspace_id, seq, metadata from memories
    where id = any(${ids}) and metadata <> '{}'::jsonb and jsonb_typeof(metadata) = 'object')`;

export async function addTerms(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  await tx.query(
    `${those('$1::uuid[]')} insert into memory_terms (seq, memory_id, term) ${terms} order by 3, 1 on conflict do nothing`,
    [memoryIds],
  );
}

/** The statement that removes the terms of memories, which must still have their metadata. @param ids SQL of a list */
export const removalOfTerms = (ids: string): string =>
  `${those(ids)}, gone as materialized (${terms})
   delete from memory_terms t using gone g where t.term = g.term and t.seq = g.seq and t.memory_id = g.id`;

export async function removeTerms(tx: Transaction, memoryIds: readonly string[]): Promise<void> {
  await tx.query(removalOfTerms('$1::uuid[]'), [memoryIds]);
}
