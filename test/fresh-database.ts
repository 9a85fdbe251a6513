import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The address of a new, empty database on the server that DATABASE_URL names (`ops/postgres.sh` starts one). */
export async function freshDatabase(): Promise<string> {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL is not set: run eval "$(ops/postgres.sh start)" first');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const fresh = new URL(url);
  fresh.pathname = `/${name}`;
  return fresh.toString();
}
