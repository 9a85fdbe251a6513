import type { Database } from '../adapters/database/database.js';

/**
 * The owner on a store that lets one process in. After a crash the next one has the same name and need not wait until the
 * time of the killed one is up.
 */
export const onlyOwner = '00000000-0000-0000-0000-000000000000';

/**
 * Takes or keeps a piece of work that only one process may do at a time, until `until`. A process that dies leaves it
 * to others when the time is up.
 * @returns false while another owner has it
 */
export async function takeLease(
  database: Database,
  name: string,
  owner: string,
  now: Date,
  ms: number,
): Promise<boolean> {
  const until = new Date(now.getTime() + ms).toISOString();
  const rows = await database.transaction((tx) =>
    tx.query(
      `insert into leases as l values ($1, $2, $3)
       on conflict (name) do update set owner = excluded.owner, until = excluded.until
        where l.owner = excluded.owner or l.until < $4 returning 1`,
      [name, owner, until, now.toISOString()],
    ),
  );
  return rows.length > 0;
}

export async function dropLease(database: Database, name: string, owner: string): Promise<void> {
  await database.transaction((tx) => tx.query('delete from leases where name = $1 and owner = $2', [name, owner]));
}
