import type { Transaction, Value } from '../../src/adapters/database/database.js';
import { memoryRows } from '../memory/rows.js';
import type { Filter } from './passing.js';

/** `otherId` was written `distance` (1, 2, …) memories before or after `memoryId` in the same source or run. */
export interface Neighbour {
  readonly memoryId: string;
  readonly otherId: string;
  readonly distance: number;
}

interface Places extends Record<string, unknown> {
  memory_id: string;
  source_before: string;
  source_after: string;
  run_before: string;
  run_after: string;
}

/**
 * The memories written directly before and after each of these, up to `reach` of them either way, within the same
 * namespace and source, and within the same namespace and run. A pair comes once for each memory asked about, with the
 * shorter of its distances. In PGlite at 100,000 memories some 0.1 ms for each id: ask about those that may matter.
 *
 * The four lists of a memory come as one text each: a row for each pair took as long again to sort and to hand over.
 */
export async function neighboursOf(tx: Transaction, ids: readonly string[], reach = 3): Promise<Neighbour[]> {
  // As the index has it, and in words, because different sources may have one hash.
  const sameSource = 'hashtextextended(o.source, 0) = hashtextextended(c.source, 0) and o.source = c.source';
  const list = (same: string, side: '<' | '>') => `array_to_string(array(
        select o.id from ${memoryRows} o
         where o.namespace_id = c.namespace_id and ${same} and o.seq ${side} c.seq
         order by o.seq ${side === '<' ? 'desc' : ''} limit $2), ' ')`;
  const rows = await tx.query<Places>(
    `select c.id::text as memory_id, ${list(sameSource, '<')} as source_before, ${list(sameSource, '>')} as source_after,
            ${list('o.run_id = c.run_id', '<')} as run_before, ${list('o.run_id = c.run_id', '>')} as run_after
       from ${memoryRows} c where c.id = any($1::uuid[]) order by c.id`,
    [ids, reach],
  );
  return rows.flatMap((row) => {
    const distances = new Map<string, number>();
    for (const listed of [row.source_before, row.source_after, row.run_before, row.run_after]) {
      const others = listed === '' ? [] : listed.split(' ');
      for (const [i, other] of others.entries()) {
        distances.set(other, Math.min(i + 1, distances.get(other) ?? Number.POSITIVE_INFINITY));
      }
    }
    return [...distances].map(([otherId, distance]) => ({ memoryId: row.memory_id, otherId, distance }));
  });
}

/** Which of these memories are in the index (a memory that is still being ingested is not) and pass the filter. */
export async function foundAmong(tx: Transaction, ids: readonly string[], filter: Filter): Promise<Set<string>> {
  const params: Value[] = [ids];
  const condition = filter((value) => `$${params.push(value)}`);
  const rows = await tx.query<{ id: string }>(
    `select m.id::text from ${memoryRows} m join search_documents d on d.memory_id = m.id and d.model <> ''
      where m.id = any($1::uuid[]) and (${condition})`,
    params,
  );
  return new Set(rows.map((row) => row.id));
}
