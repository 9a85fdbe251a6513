import { namedFaults, type OnFault } from '../../../src/base/faults.js';
import type { Database, Row, Transaction } from '../../../src/database/database.js';
import { isReady } from '../../ingest/rows.js';
import { memoryRows } from '../../memory/rows.js';
import { rowFault } from '../../row-fault.js';
import { codeBits, spaceOf } from '../blocks.js';
import { rebuildingSql } from '../rebuild-progress.js';
import { withoutVectors } from '../step.js';

/** Rows that one statement checks. */
const pageRows = 5000;
/** The id before all ids: the first page begins after it. */
const beforeAll = '00000000-0000-0000-0000-000000000000';

interface Page extends Row {
  /** The last id of a full page. The last page is not full: waiting for an empty one would follow a steady writer forever. */
  last: string | null;
  /** The faulty rows of the page, each as JSON of its primary key and the kind of the fault. */
  faults: string[];
}

/** SQL of the last id of a page, for one that has as many rows as it may. */
const endOf = (rows: string): string => `(select max(memory_id::text) from ${rows} having count(*) = $2)`;

const faultOf = (how: string, key: string): string =>
  `json_build_object('how', ${how}, 'key', json_build_object(${key}))::text`;

/**
 * Checks all rows, one page at a time in the order of ids. Each row is compared with rows of other tables, which are looked up
 * by id: without "offset 0" the planner would read whole tables for every page. `sql` checks one page: at most $2 ids after $1.
 */
async function checkPages(database: Database, found: OnFault, table: string, sql: string): Promise<void> {
  for (let after: string | null = beforeAll; after !== null; ) {
    const from: string = after;
    const [page] = await database.read((tx) => tx.query<Page>(sql, [from, pageRows]));
    for (const fault of page?.faults ?? []) {
      const { key, how } = JSON.parse(fault);
      found(table, rowFault(table, key, how));
    }
    after = page?.last ?? null;
  }
}

/**
 * Finds memories that are ready but not in the index, or that the index has in another namespace or under another number. What a
 * rebuild in the background has not come to yet is not missing.
 */
export function misplacedDocuments(database: Database, found: OnFault): Promise<void> {
  const how = `case when d.memory_id is null then 'missing' else 'different' end`;
  return checkPages(
    database,
    found,
    'search_documents',
    `with page as materialized (
       select id as memory_id, workspace_id, namespace_id, seq from ${memoryRows} where id > $1::uuid order by id limit $2)
     select ${endOf('page')} as last,
            array(select ${faultOf(how, `'memory_id', p.memory_id`)}
               from page p
               left join lateral (select * from search_documents
                                   where memory_id = p.memory_id and model <> '' offset 0) d on true
              where ${isReady('p.memory_id')} and (d.namespace_id, d.seq) is distinct from (p.namespace_id, p.seq)
                and (d.memory_id is not null or not ${rebuildingSql('p.workspace_id')})
              order by p.memory_id limit ${namedFaults + 1}) as faults`,
  );
}

/**
 * Finds documents that name another model than their vectors are of. While a document is embedded again it has vectors of both models, and
 * the name of the earlier one. A document that waits for its vectors may still have those of another size.
 */
export function wrongModels(database: Database, found: OnFault): Promise<void> {
  const space = spaceOf("(vector_dims(v.embedding) || ' ' || p.model)", 'p.namespace_id');
  return checkPages(
    database,
    found,
    'search_documents',
    `with page as materialized (
       select memory_id, namespace_id, model from search_documents where memory_id > $1::uuid order by memory_id limit $2)
     select ${endOf('page')} as last,
            array(select ${faultOf(`'different'`, `'memory_id', p.memory_id`)}
               from page p
              cross join lateral (
                select count(*) as vectors, count(*) filter (where v.space = ${space}) as own
                  from search_vectors v where v.memory_id = p.memory_id offset 0) c
              where p.model not in ('', '${withoutVectors}') and c.vectors > 0 and c.own = 0
              order by p.memory_id limit ${namedFaults + 1}) as faults`,
  );
}

/** Finds rows of texts, vectors and codes that belong to no document. */
export async function orphanRows(database: Database, found: OnFault): Promise<void> {
  await ofNoDocument(database, found, 'search_texts', ['memory_id', 'part']);
  await ofNoDocument(database, found, 'search_vectors', ['space', 'seq', 'ordinal']);
  for (const row of await database.read(orphanCodes)) found('search_codes', rowFault('search_codes', row, 'orphan'));
}

function ofNoDocument(database: Database, found: OnFault, table: string, key: readonly string[]): Promise<void> {
  const named = key.map((column) => `'${column}', t.${column}::text`).join(', ');
  return checkPages(
    database,
    found,
    table,
    `with rows as materialized (
       select memory_id from ${table} where memory_id > $1::uuid order by memory_id limit $2),
     page as materialized (select distinct memory_id from rows),
     orphan as materialized (
       select memory_id from page p
        where not exists (select 1 from search_documents d where d.memory_id = p.memory_id offset 0)
        order by memory_id limit ${namedFaults + 1})
     select ${endOf('rows')} as last,
            array(select ${faultOf(`'orphan'`, named)} from ${table} t where t.memory_id in (select memory_id from orphan)
              order by ${key.map((column) => `t.${column}`).join(', ')} limit ${namedFaults + 1}) as faults`,
  );
}

/** A row of codes covers up to 256 vectors. It is an orphan if none of these vectors exists. */
function orphanCodes(tx: Transaction): Promise<{ space: string; block: number }[]> {
  return tx.query<{ space: string; block: number }>(
    `select c.space::text, c.block from search_codes c
      where not exists (select 1 from search_vectors v where v.space = c.space
                           and v.seq >= c.block << ${codeBits} and v.seq < (c.block + 1) << ${codeBits})
      order by c.space, c.block limit ${namedFaults + 1}`,
  );
}

interface Counted extends Row {
  namespace_id: string;
  /** Whether the namespace has a row of counts, whether the counts are right, and whether it has any document. */
  served: boolean;
  same: boolean;
  any: boolean;
}

/** Checks the counts of each namespace: the number of its documents and their total length. */
export async function countFaults(database: Database, found: OnFault): Promise<void> {
  for (let after = beforeAll; ; ) {
    const from = after;
    const counted = await database.read((tx) => nextCounted(tx, from));
    if (!counted) return;
    const { namespace_id, served, same, any } = counted;
    const how = !served ? 'missing' : !any ? 'orphan' : !same ? 'different' : null;
    if (how !== null) found('search_namespaces', rowFault('search_namespaces', { namespace_id }, how));
    after = namespace_id;
  }
}

async function nextCounted(tx: Transaction, after: string): Promise<Counted | undefined> {
  const [row] = await tx.query<Counted>(
    `with next as materialized (
       (select namespace_id from search_namespaces where namespace_id > $1::uuid order by 1 limit 1)
        union (select namespace_id from search_documents where namespace_id > $1::uuid order by 1 limit 1)
        order by 1 limit 1)
     select next.namespace_id::text, n.namespace_id is not null as served, d.rows > 0 as any,
            coalesce(n.documents = d.documents and n.length = d.length, false) as same
       from next left join search_namespaces n using (namespace_id)
      cross join lateral (
        select count(*) as rows, count(*) filter (where model <> '') as documents,
               coalesce(sum(length) filter (where model <> ''), 0) as length
          from search_documents where namespace_id = next.namespace_id) d`,
    [after],
  );
  return row;
}
