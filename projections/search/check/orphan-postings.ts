import { namedFaults, type OnFault } from '../../../src/base/faults.js';
import type { Database, Row } from '../../../src/database/database.js';
import { rowFault } from '../../row-fault.js';
import { postingBits } from '../blocks.js';
import { firstBucket, firstOf } from '../buckets.js';

/** Rows that one statement checks. */
const pageRows = 50_000;

interface Page extends Row {
  /** The last row of the page; null after the last page. */
  last_bucket: string | null;
  last_block: number | null;
  /** A row of the page that is an orphan; null if there is none. */
  bucket: string | null;
  block: number | null;
}

/**
 * Finds postings in a block in which their namespace has no document, or that belong to no namespace. All other postings are
 * compared with the documents of their block: see lists.ts. Of each block of a namespace the first bucket is reported.
 */
export async function orphanPostings(database: Database, found: OnFault): Promise<void> {
  for (let [bucket, block] = [String(-(2n ** 63n)), -1]; ; ) {
    const after = [bucket, block, pageRows];
    const rows = await database.read((tx) => tx.query<Page>(orphansOfPage, after));
    for (const row of rows) {
      if (row.bucket === null) continue;
      const key = { bucket: row.bucket, block: row.block ?? 0 };
      found('search_postings', rowFault('search_postings', key, 'orphan'));
    }
    const [page] = rows;
    if (!page || page.last_bucket === null || page.last_block === null) return;
    [bucket, block] = [page.last_bucket, page.last_block];
  }
}

const orphansOfPage = `
  with page as materialized (
    select bucket, block from search_postings where (bucket, block) > ($1::bigint, $2::bigint) order by 1, 2 limit $3),
  counted as materialized (select namespace_id, ${firstBucket('namespace_id')} as first from search_namespaces),
  one as materialized (select ${firstOf('bucket')} as first, block, min(bucket) as bucket from page group by 1, 2),
  orphan as (
    select bucket, block from one where not exists (
      select 1 from counted n cross join lateral (
        select 1 from search_documents d where d.namespace_id = n.namespace_id
           and d.seq >= one.block << ${postingBits} and d.seq < (one.block + 1) << ${postingBits} limit 1) d
       where n.first = one.first)
     order by bucket, block limit ${namedFaults + 1}),
  last as (select bucket, block from page order by bucket desc, block desc limit 1)
  select last.bucket::text as last_bucket, last.block as last_block, orphan.bucket::text as bucket, orphan.block
    from last left join orphan on true`;
