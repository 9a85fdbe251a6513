import { randomUUID } from 'node:crypto';
import type { Transaction } from './database.js';

const product = 'counterfoil';

/** The name of the connections of this process, by which a server shows them. */
export const applicationName = `${product} ${randomUUID()}`;

/** How many connections other processes of the service have to this database. */
export async function otherProcesses(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*) as count from pg_stat_activity
      where datname = current_database() and application_name like '${product} %' and application_name <> $1`,
    [applicationName],
  );
  return row?.count ?? 0;
}
