import type { WatchKind } from '../../contracts/terminal.js';
import type { Row, Transaction } from '../../src/database/database.js';
import { lockAccount } from './rows.js';

export interface WatchedRow extends Row {
  kind: WatchKind;
  ref_id: string;
  created_at: string;
}

/** All that a person watches, the oldest first. */
export function watchedBy(tx: Transaction, personId: string): Promise<WatchedRow[]> {
  return tx.query<WatchedRow>('select kind, ref_id, created_at from watched where person_id = $1 order by id', [
    personId,
  ]);
}

interface Watching {
  /** For the row, if there is a new one. */
  readonly id: string;
  readonly personId: string;
  readonly kind: WatchKind;
  readonly refId: string;
  readonly now: Date;
}

/** Watches it, unless the person has `most` of the kind already. */
export async function watch(
  tx: Transaction,
  { id, personId, kind, refId, now }: Watching,
  most: number,
): Promise<'created' | 'was there' | 'full'> {
  await lockAccount(tx, personId);
  const [there] = await tx.query('select 1 from watched where person_id = $1 and kind = $2 and ref_id = $3', [
    personId,
    kind,
    refId,
  ]);
  if (there) return 'was there';
  const created = await tx.query(
    `insert into watched (id, person_id, kind, ref_id, created_at)
     select $1::uuid, $2::uuid, $3::text, $4::text, $5::timestamptz
      where (select count(*) from watched where person_id = $2::uuid and kind = $3::text) < $6
     returning 1`,
    [id, personId, kind, refId, now.toISOString(), most],
  );
  return created.length > 0 ? 'created' : 'full';
}

/** @returns whether it was watched */
export async function unwatch(tx: Transaction, personId: string, kind: WatchKind, refId: string): Promise<boolean> {
  const deleted = await tx.query('delete from watched where person_id = $1 and kind = $2 and ref_id = $3 returning 1', [
    personId,
    kind,
    refId,
  ]);
  return deleted.length > 0;
}
