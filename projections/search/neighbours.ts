import type { Transaction, Value } from '../../src/database/database.js';
import { memoryRows } from '../memory/rows.js';
import type { Filter } from './passing.js';

/** Finds which of these memories are in the index and pass the filter. A memory that is still being ingested is not in it. */
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
