import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { command } from '../../faults/command.js';
import { bare, program } from '../../faults/service-process.js';
import { startService } from '../../http/service.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { type EventStoreServer, startEventStore } from '../../support/eventstore-server/server.js';
import { dropDatabase } from '../../support/fresh-database.js';
import { preparedDatabase } from '../../support/prepared-store.js';
import { repeats } from '../../support/repeats.js';

/** Each round moves the ledger to EventStoreDB and back, with one kill in each direction. */
const rounds = repeats('MIGRATION_KILLS');
/** Entries of one task receipt are small, and an append of the copy takes 500 of them. */
const entries = 2000;
const prefix = 'counterfoil';

let server: EventStoreServer;
let database: pg.Client;
let url: string;
let env: Record<string, string>;

beforeAll(async () => {
  url = await preparedDatabase();
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-move-'));
  env = { DATABASE_URL: url, DATA_DIR: directory };
  const service = await startService({ DATABASE_URL: url, DATA_DIR: directory });
  for (let sent = 0; sent < entries; sent += 100) {
    const receipts = Array.from({ length: 100 }, () => taskReceipt());
    expect((await service.call('POST', '/v1/receipts', { receipts })).status).toBe(201);
  }
  await service.stop();
  database = new pg.Client({ connectionString: url });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await dropDatabase(url);
});

async function home(): Promise<string | null> {
  const { rows } = await database.query('select prefix from ledger_home');
  return rows[0]?.prefix ?? null;
}

/** The bytes of all entries, by chain and place: of the tables, and of the streams. */
async function ofTables(): Promise<string[]> {
  const { rows } = await database.query('select chain::text, seq, bytes from entries');
  return rows.map(({ chain, seq, bytes }) => `${chain} ${seq} ${bytes}`).toSorted();
}
const ofStreams = (): string[] =>
  server.store.all
    .filter(({ stream, revision }) => stream.startsWith(`${prefix}-`) && revision > 0)
    .map(({ stream, revision, data }) => `${stream.slice(prefix.length + 1)} ${revision} ${Buffer.from(data)}`)
    .toSorted();

/** Kills the command a moment after it has called the server `calls` times. @returns the calls, and whether it had ended before */
async function killed(to: string, calls: number): Promise<{ seen: number; hasEnded: boolean }> {
  const child = spawn(process.execPath, [...program, 'migrate-ledger', '--to', to], {
    env: { ...bare, ...env },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  let seen = 0;
  server.fail({ onAppend: () => count(), onRead: () => count() });
  const count = (): 'drop' | undefined => {
    seen += 1;
    if (seen < calls) return undefined;
    if (seen === calls) setTimeout(() => kill(child), Math.random() * 20);
    // The answer may be lost too.
    return seen === calls && Math.random() < 0.3 ? 'drop' : undefined;
  };
  const [code] = await ended;
  server.fail({});
  return { seen, hasEnded: code === 0 };
}

const kill = (child: ChildProcess): void => {
  child.kill('SIGKILL');
};

// @covers ES-MOVE-1 ES-MOVE-3
it(`migrate-ledger, killed ${2 * rounds} times, changes the engine in its last step alone, and loses nothing`, async () => {
  const before = await ofTables();
  const inTime = { eventstore: 0, database: 0 };
  const mostCalls = { eventstore: 0, database: 0 };
  for (let round = 0; round < rounds; round += 1) {
    server = await startEventStore();
    env = { ...env, EVENTSTORE_URL: server.url };
    const moves = [
      { to: 'eventstore', from: null, arrived: prefix },
      { to: 'database', from: prefix, arrived: null },
    ] as const;
    for (const { to, from, arrived } of moves) {
      const calls = 1 + Math.floor(Math.random() * (mostCalls[to] || 20));
      const { seen, hasEnded } = await killed(to, calls);
      mostCalls[to] = Math.max(mostCalls[to], seen);
      const now = await home();
      if (hasEnded) expect(now).toBe(arrived);
      else inTime[to] += 1;
      // Which engine holds the ledger changes only when all of it is there.
      if (now === prefix) expect(ofStreams()).toEqual(before);
      else expect(now).toBeNull();
      if (!hasEnded && seen < calls) expect(now).toBe(from);
      expect(await ofTables()).toEqual(before);
      const again = await command(env, 'migrate-ledger', '--to', to);
      expect([again.code, again.stderr.replace(/^(copy|verify|catch up):.*$/gm, '').trim()]).toEqual([0, '']);
      expect(await home()).toBe(arrived);
      expect(ofStreams()).toEqual(before);
      expect(await ofTables()).toEqual(before);
    }
    await server.stop();
  }
  console.log(
    `migrate-ledger of ${before.length} entries was killed ${inTime.eventstore} times on the way to EventStoreDB and ${inTime.database} times on the way back`,
  );
});
