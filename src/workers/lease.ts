import type { Database, Transaction } from '../database/database.js';

/**
 * The owner on a store that admits one process. After a crash the next one has the same name and need not wait until the
 * time of the killed one is up.
 */
export const onlyOwner = '00000000-0000-0000-0000-000000000000';

/**
 * A piece of work that only one process may do at a time. A process that dies leaves it to others when the time is up. The time
 * is the database's: processes whose clocks differ would take it from each other.
 */
export interface Lease {
  /** Takes the lease, or renews it. @returns false while another owner has it */
  take(): Promise<boolean>;
  /** Renews it in a transaction that is part of the work. @returns false when it is not held any more */
  keep(tx: Transaction): Promise<boolean>;
  /** Gives it back, if this process has ever taken it. */
  drop(): Promise<void>;
}

/**
 * @param owner a UUID: who this process is to others on the same store
 * @param ms after which others may take it
 */
export function createLease(database: Database, name: string, owner: string, ms: number): Lease {
  let taken = false;
  return {
    async take() {
      const rows = await database.transaction((tx) =>
        tx.query(
          `insert into leases as l values ($1, $2, now() + $3 * interval '1 millisecond')
           on conflict (name) do update set owner = excluded.owner, until = excluded.until
            where l.owner = excluded.owner or l.until < now() returning 1`,
          [name, owner, ms],
        ),
      );
      taken ||= rows.length > 0;
      return rows.length > 0;
    },
    async keep(tx) {
      const rows = await tx.query(
        `update leases set until = now() + $3 * interval '1 millisecond'
          where name = $1 and owner = $2 and until > now() returning 1`,
        [name, owner, ms],
      );
      return rows.length > 0;
    },
    async drop() {
      if (!taken) return;
      await database.transaction((tx) => tx.query('delete from leases where name = $1 and owner = $2', [name, owner]));
      taken = false;
    },
  };
}

/** Notes that a piece of work was done just now, for the processes that leave it to others. */
export async function noteDone(database: Database, name: string, owner: string): Promise<void> {
  await database.transaction((tx) =>
    tx.query(
      'insert into leases values ($1, $2, now()) on conflict (name) do update set owner = excluded.owner, until = now()',
      [`${name} done`, owner],
    ),
  );
}

/** How many milliseconds ago it was done, by any process; since the first question where it never was. */
export async function sinceDone(database: Database, name: string, owner: string): Promise<number> {
  const [row] = await database.transaction((tx) =>
    tx.query<{ ms: number }>(
      `insert into leases as l values ($1, $2, now()) on conflict (name) do update set until = l.until
       returning (extract(epoch from now() - until) * 1000)::float8 as ms`,
      [`${name} done`, owner],
    ),
  );
  return row?.ms ?? 0;
}

/** How many milliseconds ago a lease ended, by the clock of the database: below zero while it is held. Null when no process has it. */
export async function sinceHeld(tx: Transaction, name: string): Promise<number | null> {
  const [row] = await tx.query<{ ms: number }>(
    'select (extract(epoch from now() - until) * 1000)::float8 as ms from leases where name = $1',
    [name],
  );
  return row?.ms ?? null;
}

/** The seconds until each lease ends. A lease that was given back is not among them. */
export async function leasesLeft(tx: Transaction): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ name: string; seconds: number }>(
    `select name, extract(epoch from until - now())::float8 as seconds from leases where name not like '% done' order by name`,
  );
  return new Map(rows.map(({ name, seconds }) => [name, seconds]));
}
