import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The address of a new, empty database on the server that DATABASE_URL names (`ops/postgres.sh` starts one). */
export async function freshDatabase(): Promise<string> {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL is not set: run eval "$(ops/postgres.sh start)" first');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await tell(url, `create database ${name}`);
  const fresh = new URL(url);
  fresh.pathname = `/${name}`;
  return fresh.toString();
}

/** Removes what `freshDatabase` made: a server that recovers syncs every file there is, which takes minutes for hundreds. */
export async function dropDatabase(fresh: string): Promise<void> {
  const { pathname } = new URL(fresh);
  await tell(process.env.DATABASE_URL ?? '', `drop database ${pathname.slice(1)} with (force)`);
}

async function tell(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
