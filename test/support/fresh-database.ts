import { randomBytes } from 'node:crypto';
import pg from 'pg';

type Query = (statement: string) => Promise<unknown[]>;

/**
 * The address of a new database on the server that DATABASE_URL names (`ops/postgres.sh` starts one): empty, or a copy of
 * another one.
 */
export async function freshDatabase(template?: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onMaintenanceDatabase((query) =>
    query(`create database ${name}${template === undefined ? '' : ` template ${template}`}`),
  );
  const fresh = new URL(addressOfServer());
  fresh.pathname = `/${name}`;
  return fresh.toString();
}

/** Removes what `freshDatabase` made: a server that recovers syncs every file there is, which takes minutes for hundreds. */
export async function dropDatabase(fresh: string): Promise<void> {
  await onMaintenanceDatabase((query) => query(`drop database ${databaseOn(fresh)} with (force)`));
}

/** The name of the database in an address. */
export function databaseOn(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** Makes and removes databases from the one that DATABASE_URL names. */
export async function onMaintenanceDatabase(work: (query: Query) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: addressOfServer() });
  await client.connect();
  try {
    await work(async (statement) => (await client.query(statement)).rows);
  } finally {
    await client.end();
  }
}

function addressOfServer(): string {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL is not set: run eval "$(ops/postgres.sh start)" first');
  return url;
}
