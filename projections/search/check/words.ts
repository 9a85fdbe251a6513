import { hash as digest } from 'node:crypto';
import { binaryArray, typeNumbers } from '../../../src/base/binary-array.js';
import { namedFaults } from '../../../src/base/faults.js';
import type { Transaction } from '../../../src/database/database.js';
import { rowFault } from '../../row-fault.js';
import type { Encoded } from '../encoded.js';
import type { BlockRange } from './parts.js';

/** SQL of the digest of the words of the parts of the document `d`. */
export const digestOfParts = `(select encode(sha256(coalesce(string_agg(int4send(t.part) || tsvectorsend(t.words), ''::bytea
    order by t.part), '')), 'hex') from search_texts t where t.memory_id = d.memory_id)`;

/** The same of parts as PostgreSQL receives them, which is how it sends them too. */
export function digestOfWords(parts: readonly Buffer[]): string {
  const bytes = parts.flatMap((words, part) => {
    const number = Buffer.alloc(4);
    number.writeInt32BE(part, 0);
    return [number, words];
  });
  return digest('sha256', Buffer.concat(bytes), 'hex');
}

interface PartRow {
  part: number;
  how: 'missing' | 'orphan' | 'different';
}

/** Compares part by part. A document that was removed or moved after the page was read is not a fault. */
export async function wordFaults(
  tx: Transaction,
  { namespaceId }: BlockRange,
  { memoryId, parts }: Encoded,
): Promise<string[]> {
  const faults = await tx.query<PartRow & Record<string, unknown>>(
    `select coalesce(p.part, t.part) as part,
            case when t.part is null then 'missing' when p.part is null then 'orphan' else 'different' end as how
       from unnest($2::integer[], $3::tsvector[]) p(part, words)
       full join (select part, words from search_texts where memory_id = $1) t on t.part = p.part
      where t.words is distinct from p.words
        and exists (select 1 from search_documents where memory_id = $1 and namespace_id = $4 and model <> '')
      order by 1 limit ${namedFaults + 1}`,
    [memoryId, parts.map((_, part) => part), binaryArray(typeNumbers.tsvector, parts), namespaceId],
  );
  return faults.map(({ part, how }) => rowFault('search_texts', { memory_id: memoryId, part }, how));
}
