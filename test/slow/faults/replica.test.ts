import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logChain } from '../../../contracts/log.js';
import type { OpenedDatabase } from '../../../src/database/database.js';
import { openDatabase } from '../../../src/database/open.js';
import { readConfig } from '../../../src/settings/config.js';
import { wireReplica } from '../../../src/wiring/replica.js';
import { freePort } from '../../faults/free-port.js';
import { type OwnPostgres, ownPostgres } from '../../faults/postgres.js';
import { eagerWorld, type Service, startService } from '../../http/service.js';
import { until } from '../../support/until.js';

const silent = pino({ level: 'silent' });

let primary: OwnPostgres;
let replica: OwnPostgres;
let service: Service;
let database: OpenedDatabase;
let reads: Awaited<ReturnType<typeof wireReplica>>;

beforeAll(async () => {
  primary = await ownPostgres(await freePort());
  database = await openDatabase({ kind: 'server', url: primary.url });
  replica = await primary.replica(await freePort());
  service = await startService({ DATABASE_URL: primary.url, DATABASE_REPLICA_URL: replica.url }, eagerWorld);
  reads = await wireTo(replica.url);
});

afterAll(async () => {
  await Promise.all([...reads.engines].map((engine) => engine.close()));
  await service.stop();
  await database.close();
  await replica.remove();
  await primary.remove();
});

const wireTo = (url: string) =>
  wireReplica(readConfig({ DATABASE_URL: primary.url, DATABASE_REPLICA_URL: url }), database.prompt, silent);

/** The caller whose list is answered now. */
async function answering(): Promise<string> {
  return reads.readList(database.prompt)(logChain, async (tx) => {
    const [row] = await tx.query<{ port: number }>(`select current_setting('port')::int as port`);
    return row?.port === Number(new URL(replica.url).port) ? 'the replica' : 'the primary';
  });
}

/** The service and the reads of this test have found the replica again. */
const used = () =>
  until(
    async () =>
      (await answering()) === 'the replica' && !(await service.call('GET', '/readyz')).text.includes('replica'),
  );

async function onReplica(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: replica.url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** Writes a memory and looks for it at once where replicas answer. @returns the time of the slowest of the reads */
async function writesAndReads(text: string): Promise<number> {
  const { json: written } = await service.call('POST', '/v1/memories', { content: text });
  let slowest = 0;
  const timed = async (method: string, path: string, body?: object) => {
    const from = performance.now();
    const reply = await service.call(method, path, body);
    slowest = Math.max(slowest, performance.now() - from);
    expect(reply.status, reply.text).toBe(200);
    return reply;
  };
  expect((await timed('GET', '/v1/receipts?limit=1&kind=memory.write')).text).toContain(written.memory_id);
  expect((await timed('GET', '/v1/memories/export?limit=1000')).text).toContain(written.memory_id);
  await service.settled();
  expect((await timed('GET', '/v1/memories?limit=5')).text).toContain(written.memory_id);
  expect((await timed('POST', '/v1/memories/search', { query: text, k: 3 })).text).toContain(written.memory_id);
  expect((await service.call('DELETE', `/v1/memories/${written.memory_id}`)).status).toBe(200);
  expect((await timed('GET', '/v1/memories?limit=50')).text).not.toContain(written.memory_id);
  expect((await timed('POST', '/v1/memories/search', { query: text, k: 3 })).text).not.toContain(written.memory_id);
  return slowest;
}

// @covers REPLICA-READ-YOUR-WRITES
it('lists and hits come from the replica and show every write that was answered', async () => {
  await used();
  for (let n = 0; n < 10; n += 1) await writesAndReads(`Ferry ${n} leaves the harbour at noon.`);
  expect(await answering()).toBe('the replica');
});

// @covers REPLICA-WAITS
it('a read waits for a replica that is a little behind', async () => {
  await onReplica(`alter system set recovery_min_apply_delay = '150ms'`);
  await onReplica('select pg_reload_conf()');
  const slowest = await writesAndReads('The slow ferry leaves in the evening.');
  expect(await answering()).toBe('the replica');
  expect(slowest).toBeGreaterThan(100);
  await onReplica('alter system reset recovery_min_apply_delay');
  await onReplica('select pg_reload_conf()');
});

// @covers REPLICA-BEHIND
it('the primary answers after half a second for a replica that stands still, and at once from then on', async () => {
  await used();
  await onReplica('select pg_wal_replay_pause()');
  const slowest = await writesAndReads('The last ferry has been cancelled.');
  expect(slowest).toBeGreaterThan(450);
  expect(slowest).toBeLessThan(1500);
  expect(await answering()).toBe('the primary');
  expect(await writesAndReads('The last ferry has been cancelled again.')).toBeLessThan(450);
  const ready = await service.call('GET', '/readyz');
  expect(ready).toMatchObject({
    status: 200,
    json: { warnings: expect.arrayContaining([expect.stringContaining('half a second behind')]) },
  });
  const { text } = await service.call('GET', '/metrics');
  expect(text).toMatch(/counterfoil_engine_up\{engine="replica"\} 1/);
  expect(Number(/follower_lag_entries\{follower="replica"\} (\d+)/.exec(text)?.[1])).toBeGreaterThan(0);
  await onReplica('select pg_wal_replay_resume()');
  await used();
});

// @covers REPLICA-GONE
it('a replica that freezes or dies counts as behind', async () => {
  await used();
  await replica.freeze();
  expect(await writesAndReads('The frozen ferry stays.')).toBeLessThan(1500);
  await replica.resume();
  await used();
  await replica.kill();
  expect(await writesAndReads('The sunken ferry does not come back.')).toBeLessThan(1500);
  expect((await service.call('GET', '/metrics')).text).toMatch(/counterfoil_engine_up\{engine="replica"\} 0/);
  await replica.start();
  await used();
});

// @covers REPLICA-WRONG
it('a wrong setting stops the start, and a replica that is away does not', async () => {
  const wrong = (change: (url: URL) => void) => {
    const url = new URL(replica.url);
    change(url);
    return wireTo(url.toString());
  };
  await expect(
    wrong((url) => {
      url.username = 'outsider';
    }),
  ).rejects.toThrow(/^DATABASE_REPLICA_URL is wrong: the server 127.0.0.1:\d+ refuses the user outsider\.$/);
  await expect(
    wrong((url) => {
      url.pathname = '/other';
    }),
  ).rejects.toThrow(/^DATABASE_REPLICA_URL is wrong: the server 127.0.0.1:\d+ has no database other\.$/);
  await expect(
    wrong((url) => {
      url.pathname = '/template1';
    }),
  ).rejects.toThrow(
    /^DATABASE_REPLICA_URL is wrong: it names the database template1, and DATABASE_URL the database postgres\.$/,
  );
  await expect(wireTo(process.env.DATABASE_URL ?? '')).rejects.toThrow(
    /^DATABASE_REPLICA_URL is wrong: the server \S+ is no replica of the server of DATABASE_URL\.$/,
  );
  const port = await freePort();
  const away = await wrong((url) => {
    url.port = String(port);
  });
  const [engine] = away.engines;
  expect(await engine?.health()).toMatchObject({ engine: 'replica', isUp: false, problems: [expect.any(String)] });
  await engine?.close();
});

// @covers REPLICA-PROMOTED
it('a replica that was promoted is not read', async () => {
  await used();
  await onReplica('select pg_promote()');
  await writesAndReads('The ferry has a new captain.');
  expect(await answering()).toBe('the primary');
  await until(async () => (await service.call('GET', '/readyz')).text.includes('not a replica now'));
  const again = await wireTo(replica.url);
  expect(await again.engines[0]?.health()).toMatchObject({ isUp: false });
  await again.engines[0]?.close();
});
