import { termOf } from '../../projections/search/blocks.js';
import { bucketOf } from '../../projections/search/buckets.js';
import { currentSlabs } from '../../projections/search/current-codes.js';
import { blockSize } from '../../projections/search/posting-list.js';
import { findWords, type Word } from '../../projections/search/postings.js';
import type { SearchCache } from '../../projections/search/queries.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { first } from './store.js';

/** The numbers of the documents of the first namespace that have a word. */
export async function withWord(tx: Transaction, cache: SearchCache, word: string): Promise<number[]> {
  const asked = await tx.query<Row & Word>(
    `select $2::text as namespace_id, term::text, ${bucketOf('term', '$2::uuid')}::text as bucket
       from (select ${termOf('$1::text', '$2::uuid')} as term) t`,
    [word, first],
  );
  const [found] = (await findWords(tx, cache, asked)).values();
  if (!found) return [];
  const { blocks, starts, offsets } = found.list;
  return [...blocks].flatMap((block, i) =>
    [...offsets.subarray(starts[i], starts[i + 1])].map((offset) => block * blockSize + offset),
  );
}

/** The numbers of its documents with codes of vectors of four components. */
export async function withCodes(tx: Transaction, cache: SearchCache): Promise<number[]> {
  const query = { namespaceIds: [first], model: 'test', vector: Float32Array.of(1, 2, 3, 4) };
  const seqs = [...(await currentSlabs(tx, cache, query)).values()].flatMap((slab) => [...slab.seqs]);
  return seqs.filter((seq) => seq > 0).sort((a, b) => a - b);
}
