import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { project } from '../../../projections/all.js';
import { openStreams } from '../../../src/adapters/eventstore/streams.js';
import { collectFaults } from '../../../src/base/faults.js';
import { genesisBytes } from '../../../src/ledger/chain.js';
import { eventStoreLedger } from '../../../src/ledger/engines/eventstore.js';
import { checkStreams } from '../../../src/ledger/eventstore/check.js';
import { genesisEvent } from '../../../src/ledger/eventstore/events.js';
import { readHome } from '../../../src/ledger/eventstore/home.js';
import { writePosition } from '../../../src/ledger/eventstore/position.js';
import type { Streams } from '../../../src/ledger/eventstore/streams.js';
import { fsck } from '../../../src/maintenance/fsck.js';
import { moveToDatabase, moveToStreams } from '../../../src/maintenance/migrate-ledger.js';
import { fill, model, newStore, type Store } from '../../maintenance/store.js';
import { type EventStoreServer, startEventStore } from '../../support/eventstore-server/server.js';
import { createStore, type Transaction } from '../../support/eventstore-server/store.js';

let store: Store;
let workspaceId: string;
let server: EventStoreServer;
let streams: Streams;
let count = 0;
let prefix: string;

beforeAll(async () => {
  store = await newStore();
  ({
    caller: { workspaceId },
  } = await fill(store, 12));
  server = await startEventStore();
  streams = openStreams(server.url);
});
afterAll(async () => {
  await streams.close();
  await server.stop();
  await store.close();
});
beforeEach(async () => {
  server.fail({});
  count += 1;
  prefix = `moved${count}`;
  await store.sql('delete from ledger_home');
  await store.sql('delete from stream_position');
});

const move = () => ({ database: store.database, streams, prefix, onProgress: () => undefined });
const home = () => store.database.read(readHome);
const check = async () => {
  const parts = { onProgress: () => undefined, streams: { streams, prefix } };
  return (await fsck(store.database, [model('receipts')], parts)).faults;
};

/** The bytes of all entries, by chain and place: of the tables, and of the streams. */
async function ofTables(): Promise<string[]> {
  const rows = await store.sql<{ chain: string; seq: number; bytes: Uint8Array }>(
    'select chain::text, seq, bytes from entries',
  );
  return rows.map(({ chain, seq, bytes }) => `${chain} ${seq} ${Buffer.from(bytes)}`).toSorted();
}
const ofStreams = (): string[] =>
  server.store.all
    .filter((event) => event.stream.startsWith(`${prefix}-`) && event.revision > 0)
    .map((event) => `${event.stream.slice(prefix.length + 1)} ${event.revision} ${Buffer.from(event.data)}`)
    .toSorted();

// @covers ES-MOVE-1 ES-MOVE-2
it('the ledger moves to EventStoreDB and back, with every byte as it was', async () => {
  const before = await ofTables();
  expect(await moveToStreams(move())).toContain('which holds the ledger from now on');
  expect(ofStreams()).toEqual(before);
  expect(await home()).toEqual({ prefix });
  expect(await check()).toBeNull();
  expect(await moveToStreams(move())).toBe('EventStoreDB holds the ledger already, with every entry of the database.');

  // What an engine has appended since is in the tables when the ledger moves back.
  const ledger = eventStoreLedger({ database: store.database, project, streams, prefix });
  const read = await ledger.read(workspaceId, 0, 1000);
  expect(read.length).toBeGreaterThan(12);
  expect(await moveToDatabase(move())).toContain('The database holds the ledger from now on');
  expect(await home()).toBeNull();
  expect(await ofTables()).toEqual(before);
  expect(await moveToDatabase(move())).toBe('The database holds the ledger already.');
});

// @covers ES-MOVE-3
it('a copy that breaks off at any append continues where it was, and changes the engine only at its end', async () => {
  const before = await ofTables();
  let appends = 0;
  for (let cut = 1; (await home()) === null; cut += 1) {
    let left = cut;
    server.fail({
      onAppend() {
        appends += 1;
        left -= 1;
        // The process is killed here: the append was stored, and nothing after it is sent.
        return left === 0 ? 'persist-then-drop' : undefined;
      },
    });
    const stopping: Streams = {
      ...streams,
      append: async (...given) => {
        if (left <= 0) throw new Error('killed');
        return streams.append(...given);
      },
    };
    await moveToStreams({ ...move(), streams: stopping }).catch(() => undefined);
  }
  expect(appends).toBeGreaterThan(4);
  expect(ofStreams()).toEqual(before);
  expect(await check()).toBeNull();
});

// @covers ES-MOVE-1 ES-FSCK-1
it('moves and checks by a follower too, which names the leader', async () => {
  const leader = { host: '127.0.0.1', port: server.port };
  const follower = await startEventStore({ store: server.store, leader });
  const byFollower = () => openStreams(follower.url);
  const [moving, checking] = [byFollower(), byFollower()];
  expect(await moveToStreams({ ...move(), streams: moving })).toContain('which holds the ledger from now on');
  const parts = { onProgress: () => undefined, streams: { streams: checking, prefix } };
  expect((await fsck(store.database, [model('receipts')], parts)).faults).toBeNull();
  await Promise.all([moving.close(), checking.close(), follower.stop()]);
});

// @covers ES-FSCK-1
it('fsck names a setting that removes entries, and what to do', async () => {
  await moveToStreams(move());
  const data = Buffer.from(JSON.stringify({ $maxCount: 2 }));
  const event = { id: crypto.randomUUID(), type: '$metadata', contentType: 'application/json', data };
  const customMetadata = Buffer.alloc(0);
  server.store.append({
    stream: `$$${prefix}-${workspaceId}`,
    expected: 'any',
    events: [{ ...event, customMetadata }],
  });
  const sentence = `The stream ${prefix}-${workspaceId} has the setting $maxCount, with which EventStoreDB removes entries: remove that setting from the metadata of the stream.`;
  expect(await check()).toContain(sentence);
  await expect(moveToStreams(move())).rejects.toThrow('has the setting $maxCount');
  server.store.delete(`${prefix}-${workspaceId}`, 'any', 'tombstone');
  expect(await check()).toContain(`${prefix}-${workspaceId} was deleted permanently (it has a tombstone)`);
});

// @covers ES-MOVE-4
it('streams of another ledger are refused with a sentence, and the engine stays', async () => {
  await streams.append(`${prefix}-${workspaceId}`, null, [
    { id: crypto.randomUUID(), type: 'other', data: Buffer.from('{}'), metadata: {} },
  ]);
  await expect(moveToStreams(move())).rejects.toThrow(/Set another EVENTSTORE_PREFIX|does not begin with the genesis/);
  expect(await home()).toBeNull();
  await store.sql(`insert into ledger_home (engine, prefix) values ('eventstore', 'elsewhere')`);
  await expect(moveToDatabase(move())).rejects.toThrow('under the prefix elsewhere. Set EVENTSTORE_PREFIX=elsewhere.');
});

// @covers ES-MOVE-5
it('the ledger moves to another cluster, or to streams that were restored to an older state', async () => {
  await moveToStreams(move());
  const empty = await startEventStore();
  const there = openStreams(empty.url);
  expect(await moveToStreams({ ...move(), streams: there })).toMatch(/(\d+) entries .* \1 were copied now/);
  const lost = createStore([...transactionsOf(empty.store)].slice(0, -2));
  const restored = await startEventStore({ store: lost });
  const older = openStreams(restored.url);
  await expect(moveToDatabase({ ...move(), streams: older })).rejects.toThrow(
    /The stream .* (is missing|ends at entry)/,
  );
  expect(await moveToStreams({ ...move(), streams: older })).toContain('which holds the ledger from now on');
  expect(restored.store.all).toHaveLength(empty.store.all.length);
  await Promise.all([there.close(), older.close(), empty.stop(), restored.stop()]);
});

function* transactionsOf({ all }: EventStoreServer['store']): Generator<Transaction> {
  for (const event of all) yield { stream: event.stream, createdMs: event.createdMs, events: [event] };
}

// @covers ES-FSCK-1
it('fsck names the first difference between tables and streams', async () => {
  await moveToStreams(move());
  const named = `${prefix}-${workspaceId}`;
  const other = `entry 5 of workspace ${workspaceId}`;
  const changed = (change: (data: string) => string): Streams => ({
    ...streams,
    async read(stream, from, limit) {
      const events = await streams.read(stream, from, limit);
      return events.map((event) =>
        stream === named && event.revision === 5
          ? { ...event, data: Buffer.from(change(Buffer.from(event.data).toString())) }
          : event,
      );
    },
  });
  const checkWith = async (by: Streams) =>
    (await fsck(store.database, [], { onProgress: () => undefined, streams: { streams: by, prefix } })).faults;
  expect(await checkWith(changed((data) => data.replace('"v":1', '"v":2')))).toContain(other);
  expect(
    await checkWith({
      ...streams,
      read: async (stream, from, limit) => (from < 5 ? streams.read(stream, from, Math.min(limit, 5 - from)) : []),
    }),
  ).toMatch(/^The stream .* ends at entry 4 of workspace/);
  await store.sql(
    `insert into pending_appends select chain, hash, seq - 1, seq, 0, now() - interval '1 hour', '[]' from entries where chain = $1 and seq = 3`,
    [workspaceId],
  );
  expect(await check()).toBe(
    `The append that ends with entry 3 of workspace ${workspaceId} in the table pending_appends was applied, and is still staged.`,
  );
  await store.sql('delete from pending_appends');
  expect(await check()).toBeNull();
});

// @covers ES-FSCK-2
it('fsck names a stream of the prefix that the tables do not have, and migrate-ledger applies it', async () => {
  await moveToStreams(move());
  const chain = crypto.randomUUID();
  const genesis = genesisEvent(genesisBytes(chain, new Date().toISOString()), randomBytes(32));
  await streams.append(`${prefix}-${chain}`, null, [genesis]);
  await streams.append(`${prefix}-other-${chain}`, null, [genesis]);
  await store.database.transaction(async (tx) => {
    const end = await streams.end();
    if (end) await writePosition(tx, end);
  });
  const faults = collectFaults();
  await checkStreams({ ...move(), onEntries: () => undefined, found: faults.found, waitMs: 0 });
  expect(faults.lines()).toBe(
    `The stream ${prefix}-${chain} is of a chain that the table chains does not have. Stop the service and run counterfoil migrate-ledger --to eventstore, which applies it.`,
  );
  await moveToStreams(move());
  expect(await check()).toBeNull();
});

// @covers EVS-ENDS ES-MOVE-2
it('the ledger does not move to the database when a read of the streams ends early', async () => {
  await moveToStreams(move());
  const nothing = async () => [];
  await expect(moveToDatabase({ ...move(), streams: { ...streams, placesAfter: nothing } })).rejects.toThrow(
    'ended a read of all streams before their end',
  );
  const last = async (stream: string) => {
    const found = await streams.last(stream);
    return found && stream.endsWith(workspaceId) ? { ...found, revision: found.revision + 1 } : found;
  };
  await expect(moveToDatabase({ ...move(), streams: { ...streams, last } })).rejects.toThrow('continues behind entry');
  expect(await home()).toEqual({ prefix });
});
