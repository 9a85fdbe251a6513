import { postingBits } from './blocks.js';

/**
 * How far an index has come that is built beside the one that serves: without a table of its own, building it would change and lock the
 * rows of the other.
 */
export const reachDdl = `create table search_reach (namespace_id uuid primary key, newest bigint not null, rewritten bigint not null,
                              removed bigint[] not null default '{}');`;

/** The number up to which documents are in blocks, where all of them are. Larger than any, and exact in JavaScript. */
export const everything = Number.MAX_SAFE_INTEGER;

/**
 * SQL of the number up to which the documents of a namespace are in blocks, after documents were added to blocks or behind them; first where
 * the namespace has no row yet. Those behind them have larger numbers than all others.
 */
const sealedAfter = {
  blocks: { first: String(everything), next: 'excluded.sealed' },
  recent: { first: 'oldest - 1', next: 'least(n.sealed, excluded.sealed)' },
};

/** Where documents are added: to the blocks of the lists, or behind them: see recent.ts. */
export type Where = keyof typeof sealedAfter;

/**
 * SQL between `with` and the main statement that counts documents in the rows of their namespaces, which are locked from then on, and notes how far the index
 * has come. Where a document has a smaller number than one that was added before, the index was not only continued.
 * @param added SQL of the documents, with `namespace_id`, `seq` and `length`
 */
export const countingAdded = (added: string, where: Where): string => `
  added as materialized (
    select namespace_id, count(*) as documents, sum(length) as length, min(seq) as oldest, max(seq) as newest
      from ${added} group by 1),
  counted as (
    insert into search_namespaces as n (namespace_id, documents, length, sealed)
    select namespace_id, documents, length, ${sealedAfter[where].first} from added order by namespace_id
    on conflict (namespace_id) do update
       set documents = n.documents + excluded.documents, length = n.length + excluded.length,
           sealed = ${sealedAfter[where].next}
    returning namespace_id, documents, sealed),
  reached as (
    insert into search_reach as r (namespace_id, newest, rewritten)
    select namespace_id, newest, txid_current() from counted join added using (namespace_id)
    on conflict (namespace_id) do update
       set newest = greatest(r.newest, excluded.newest),
           (rewritten, removed) = (
             select case when a.oldest > r.newest then r.rewritten else excluded.rewritten end,
                    case when a.oldest > r.newest then r.removed else '{}' end
               from added a where a.namespace_id = r.namespace_id))`;

/**
 * SQL that makes searches read the index of namespaces again, because it has changed in another way than by new documents. The caller
 * must hold the locks of these namespaces.
 * @param namespaces SQL of their ids, as `namespace_id`
 */
export const rewriting = (namespaces: string): string => `
  insert into search_reach (namespace_id, newest, rewritten)
  select distinct namespace_id, 0, txid_current() from ${namespaces}
  on conflict (namespace_id) do update set rewritten = excluded.rewritten, removed = '{}'`;

/**
 * The numbers of `removed` at most: three for each block. Each write changes the row too, and so writes them once more: 768 bytes. Of the
 * earliest change some may have been left out when there are as many.
 */
export const mostNumbers = 3 * 32;

/**
 * SQL between `with` and the end that does the same where documents were removed or hidden and nothing else has changed. It notes their
 * blocks in `removed`: of each `rewritten` before and after, and its number.
 * @param namespaces SQL of the ids of namespaces, as `namespace_id`
 * @param documents SQL of the documents, with `namespace_id` and `seq`
 */
export const removing = (namespaces: string, documents: string): string => `
  blocks as materialized (select distinct namespace_id, seq >> ${postingBits} as block from ${documents})
  insert into search_reach as r (namespace_id, newest, rewritten)
  select distinct namespace_id, 0, txid_current() from ${namespaces}
  on conflict (namespace_id) do update set rewritten = excluded.rewritten, removed = (
    select o.numbers[greatest(1, cardinality(o.numbers) - ${mostNumbers - 1}):]
      from (select r.removed || coalesce(array_agg(u.number order by b.block, u.place), '{}') as numbers
              from blocks b cross join lateral
                   unnest(array[r.rewritten, excluded.rewritten, b.block]) with ordinality u(number, place)
             where b.namespace_id = r.namespace_id) o)`;

/** SQL that removes the rows of namespaces that have no documents any more. @param condition about the row `n` */
export const removingEmpty = (condition: string): string => `
  with gone as (delete from search_namespaces n where documents = 0 and ${condition} returning namespace_id)
  delete from search_reach where namespace_id in (select namespace_id from gone)`;
