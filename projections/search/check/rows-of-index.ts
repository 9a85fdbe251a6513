import type { Database, Row, Transaction } from '../../../src/adapters/database/database.js';
import { jobRows } from '../../ingest/rows.js';
import { memoryRows } from '../../memory/rows.js';
import { rowFault } from '../../row-fault.js';
import { codeBits } from '../blocks.js';

/** Rows that one statement looks at. */
const pageRows = 5000;
/** Pages begin behind an id. */
const beforeAll = '00000000-0000-0000-0000-000000000000';

interface Page extends Row {
  /** The last id of the page, null behind the last one. */
  last: string | null;
  /** JSON of the key of a faulty row and how it is faulty; null when there is none. */
  fault: string | null;
}

const faultOf = (how: string, key: string): string =>
  `json_build_object('how', ${how}, 'key', json_build_object(${key}))::text`;

/**
 * Looks at all rows in pages by id, and from each row at others by their ids: "offset 0" keeps the planner from reading whole
 * tables for every page instead. `sql` gives one of them: ids after $1, of which there are $2 at most.
 */
async function pagesFault(database: Database, table: string, sql: string): Promise<string | null> {
  for (let after: string | null = beforeAll; after !== null; ) {
    const from: string = after;
    const [page] = await database.read((tx) => tx.query<Page>(sql, [from, pageRows]));
    if (page?.fault) {
      const { key, how } = JSON.parse(page.fault);
      return rowFault(table, key, how);
    }
    after = page?.last ?? null;
  }
  return null;
}

/** A memory that is ready and that searches do not find, or find where it is not. */
export function misplacedDocument(database: Database): Promise<string | null> {
  const how = `case when d.memory_id is null then 'missing' else 'different' end`;
  return pagesFault(
    database,
    'search_documents',
    `with page as materialized (
       select j.memory_id, j.stage from ${jobRows} j where j.memory_id > $1::uuid order by j.memory_id limit $2)
     select (select max(memory_id::text) from page) as last,
            (select ${faultOf(how, `'memory_id', p.memory_id`)}
               from page p
              cross join lateral (select namespace_id, seq from ${memoryRows} one where id = p.memory_id offset 0) m
               left join lateral (select * from search_documents
                                   where memory_id = p.memory_id and model <> '' offset 0) d on true
              where p.stage = 'done' and (d.namespace_id, d.seq) is distinct from (m.namespace_id, m.seq)
              order by p.memory_id limit 1) as fault`,
  );
}

/** A row of texts, vectors or codes that belongs to no document. */
export async function orphanRow(database: Database): Promise<string | null> {
  return (
    (await ofNoDocument(database, 'search_texts', ['memory_id', 'part'])) ??
    (await ofNoDocument(database, 'search_vectors', ['space', 'seq', 'ordinal'])) ??
    (await database.read(orphanCodes))
  );
}

function ofNoDocument(database: Database, table: string, key: readonly string[]): Promise<string | null> {
  const named = key.map((column) => `'${column}', t.${column}::text`).join(', ');
  return pagesFault(
    database,
    table,
    `with page as materialized (
       select distinct memory_id from (
         select memory_id from ${table} where memory_id > $1::uuid order by memory_id limit $2) rows),
     orphan as materialized (
       select memory_id from page p
        where not exists (select 1 from search_documents d where d.memory_id = p.memory_id offset 0)
        order by memory_id limit 1)
     select (select max(memory_id::text) from page) as last,
            (select ${faultOf(`'orphan'`, named)} from ${table} t where t.memory_id = (select memory_id from orphan)
              order by ${key.map((column) => `t.${column}`).join(', ')} limit 1) as fault`,
  );
}

/** There is one row of codes for 256 vectors at most, and it exists because of one of these. */
async function orphanCodes(tx: Transaction): Promise<string | null> {
  const [row] = await tx.query<{ space: string; block: number }>(
    `select c.space::text, c.block from search_codes c
      where not exists (select 1 from search_vectors v where v.space = c.space
                           and v.seq >= c.block << ${codeBits} and v.seq < (c.block + 1) << ${codeBits})
      order by c.space, c.block limit 1`,
  );
  return row ? rowFault('search_codes', row, 'orphan') : null;
}

interface Counted extends Row {
  namespace_id: string;
  /** As they are counted, as their documents say, and whether there is any document of it. */
  served: boolean;
  same: boolean;
  any: boolean;
}

/** The counts of each namespace as a whole: how many documents it has, and how long they are together. */
export async function countFault(database: Database): Promise<string | null> {
  for (let after = beforeAll; ; ) {
    const from = after;
    const counted = await database.read((tx) => nextCounted(tx, from));
    if (!counted) return null;
    const { namespace_id, served, same, any } = counted;
    if (!served) return rowFault('search_namespaces', { namespace_id }, 'missing');
    if (!any) return rowFault('search_namespaces', { namespace_id }, 'orphan');
    if (!same) return rowFault('search_namespaces', { namespace_id }, 'different');
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
