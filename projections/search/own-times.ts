import type { Row, Transaction } from '../../src/database/database.js';
import { ownTime, timeMembers } from '../../src/domain/rank/own-time.js';
import { memoryRows } from '../memory/rows.js';

interface TimesRow extends Row {
  id: string;
  /** Milliseconds since 1970. */
  written: number;
  /** The members of the metadata by `timeMembers`, as far as they may be a time. */
  texts: (string | null)[];
}

/** A longer text is no time. */
const longest = 64;

/** When each of these memories happened, in milliseconds since 1970, by id. */
export async function ownTimes(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const members = timeMembers.map((name) => `left(m.metadata ->> '${name}', ${longest})`);
  const rows = await tx.query<TimesRow>(
    `select m.id::text, (extract(epoch from m.created_at) * 1000)::float8 as written, array[${members.join(', ')}] as texts
       from ${memoryRows} m where m.id = any($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map(({ id, written, texts }) => [id, ownTime(texts, written)]));
}
