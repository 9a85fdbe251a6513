import { namedFaults, type OnFault } from '../../../src/base/faults.js';
import type { Database, Row } from '../../../src/database/database.js';
import { rowFault } from '../../row-fault.js';

interface Found extends Row {
  readonly namespace_id: string;
  readonly seq: number;
}

/**
 * Compares the documents that have a row in `search_recent` with those that must have one: those behind the number up to which the
 * documents of their namespace are in blocks. Searches look for these in that table only.
 */
export async function recentRows(database: Database, found: OnFault): Promise<void> {
  const report = async (sql: string, how: 'orphan' | 'missing') => {
    for (const { namespace_id, seq } of await database.read((tx) => tx.query<Found>(sql, [namedFaults + 1]))) {
      found('search_recent', rowFault('search_recent', { namespace_id, seq }, how));
    }
  };
  await report(
    `select r.namespace_id::text, r.seq from search_recent r
      where not exists (select 1 from search_namespaces n join search_documents d using (namespace_id)
                         where n.namespace_id = r.namespace_id and d.seq = r.seq and r.seq > n.sealed)
      order by 1, 2 limit $1`,
    'orphan',
  );
  await report(
    `select n.namespace_id::text, d.seq
       from search_namespaces n
      cross join lateral (select seq from search_documents where namespace_id = n.namespace_id and seq > n.sealed and model <> '' offset 0) d
      where not exists (select 1 from search_recent r where r.namespace_id = n.namespace_id and r.seq = d.seq)
      order by 1, 2 limit $1`,
    'missing',
  );
}
