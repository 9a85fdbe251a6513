import { rmSync } from 'node:fs';
import pg from 'pg';
import { expect, it } from 'vitest';
import { start } from '../../faults/service-process.js';
import { dropDatabase, freshDatabase } from '../../support/fresh-database.js';
import { quickDirectory } from '../../support/memory-disk.js';
import { repeats } from '../../support/repeats.js';

/** How often; a short run shows that nothing is broken. */
const rounds = repeats('STARTS');
const key = 'ak_together000000000000000000000000000';

async function sql(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Three processes on one database, started at once, each of which must serve what the rest have written. */
async function startThree(url: string, directory: string): Promise<void> {
  const env = { DATABASE_URL: url, DATA_DIR: directory, PORT: '0', OTS_CALENDARS: 'off', LOG_LEVEL: 'error' };
  const started = await Promise.allSettled([1, 2, 3].map(() => start({ ...env, BOOTSTRAP_API_KEY: key })));
  const services = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  try {
    expect(started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([]);
    const headers = { authorization: `Bearer ${key}` };
    for (const [n, { origin }] of services.entries()) {
      const body = JSON.stringify({ content: `by process ${n}, ${Math.random()}` });
      const added = await fetch(`${origin}/v1/memories`, { method: 'POST', headers, body });
      expect(added.status).toBe(202);
      const { memory_id } = JSON.parse(await added.text());
      for (const other of services) {
        expect((await fetch(`${other.origin}/v1/memories/${memory_id}`, { headers })).status).toBe(200);
      }
    }
  } finally {
    await Promise.all(services.map((service) => service.kill()));
  }
}

it('three processes that start at once on one database all serve, also when its read models must be built again', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const url = await freshDatabase();
    const directory = quickDirectory();
    try {
      await startThree(url, directory);
      await sql(url, 'update projections set version = version - 1');
      await startThree(url, directory);
    } finally {
      rmSync(directory, { recursive: true, force: true });
      await dropDatabase(url);
    }
  }
});
