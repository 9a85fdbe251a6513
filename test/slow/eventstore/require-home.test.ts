import { afterAll, beforeAll, expect, it } from 'vitest';
import { project } from '../../../projections/all.js';
import { openStreams } from '../../../src/adapters/eventstore/streams.js';
import type { Caller } from '../../../src/domain/caller.js';
import { eventStoreLedger } from '../../../src/ledger/engines/eventstore.js';
import { type CatchUpParts, catchUp } from '../../../src/ledger/eventstore/catch-up.js';
import { streamOf } from '../../../src/ledger/eventstore/events.js';
import { writeHome } from '../../../src/ledger/eventstore/home.js';
import { readPosition, writePosition } from '../../../src/ledger/eventstore/position.js';
import { requireDatabaseHome, requireStreamHome } from '../../../src/ledger/eventstore/require-home.js';
import type { StreamPosition } from '../../../src/ledger/eventstore/streams.js';
import { ChainHalted } from '../../../src/ledger/ledger.js';
import { CannotMigrateLedger, moveToDatabase, moveToStreams } from '../../../src/maintenance/migrate-ledger.js';
import { writes } from '../../ledger/decided.js';
import { newStore, type Store } from '../../maintenance/store.js';
import { type EventStoreServer, startEventStore } from '../../support/eventstore-server/server.js';
import { createStore, type Recorded, type Transaction } from '../../support/eventstore-server/store.js';

const servers: EventStoreServer[] = [];
let server: EventStoreServer;
let store: Store;
let caller: Caller;

async function serving(events: readonly Recorded[]): Promise<CatchUpParts> {
  const transactions: Transaction[] = events.map(({ stream, createdMs, ...event }) => ({
    stream,
    createdMs,
    events: [event],
  }));
  const started = await startEventStore({ store: createStore(transactions) });
  servers.push(started);
  return partsOn(started.url);
}

const partsOn = (url: string, prefix = 'counterfoil'): CatchUpParts => ({
  database: store.database,
  project,
  streams: openStreams(url),
  prefix,
});

beforeAll(async () => {
  server = await startEventStore();
  servers.push(server);
  store = await newStore((database) =>
    eventStoreLedger({ database, project, streams: openStreams(server.url), prefix: 'counterfoil' }),
  );
  caller = await store.openWorkspace();
  await store.add(caller, 'one');
  await store.add(caller, 'two');
});
afterAll(async () => {
  await store.close();
  for (const one of servers) await one.stop();
});

const ofChain = () => streamOf('counterfoil', caller.workspaceId);
const head = () =>
  Math.max(...server.store.all.filter(({ stream }) => stream === ofChain()).map(({ revision }) => revision));
const isLast = ({ stream, revision }: Recorded) => stream === ofChain() && revision === head();

// @covers EVS-HOME
it('the ledger that the store remembers is accepted, with its streams as they are', async () => {
  await requireStreamHome(partsOn(server.url));
});

// @covers EVS-HOME
it.each([
  ['without EVENTSTORE_URL', async () => requireDatabaseHome(store.database), /EVENTSTORE_URL is not set/],
  [
    'with another prefix',
    async () => requireStreamHome(partsOn(server.url, 'other')),
    /prefix counterfoil, and EVENTSTORE_PREFIX is other/,
  ],
  [
    'on another cluster',
    async () => requireStreamHome(await serving([])),
    /is missing on the cluster that EVENTSTORE_URL names/,
  ],
  [
    'on a stream that ends before the database',
    async () => requireStreamHome(await serving(server.store.all.filter((event) => !isLast(event)))),
    /ends before entry \d+ of the database/,
  ],
  [
    'on a stream with another entry at the head of the database',
    async () =>
      requireStreamHome(
        await serving(server.store.all.map((event) => (isLast(event) ? { ...event, data: Buffer.from('{}') } : event))),
      ),
    /has another entry \d+ than the database/,
  ],
])('a start %s stops with one sentence that names counterfoil migrate-ledger', async (_, start, reason) => {
  const stopped = start();
  await expect(stopped).rejects.toThrow(reason);
  await expect(stopped).rejects.toThrow(/^[^.\n]*(migrate-ledger)\.$/);
});

// @covers EVS-HOME
it('a store whose ledger is in its database does not start on EventStoreDB', async () => {
  const plain = await newStore();
  const parts = { ...partsOn(server.url), database: plain.database };
  await expect(requireStreamHome(parts)).rejects.toThrow(
    /is in its database, and EVENTSTORE_URL is set.*migrate-ledger/,
  );
  await plain.close();
});

// @covers EVS-REMOVAL
it.each([{ $maxCount: 5 }, { $maxAge: 3600 }, { $tb: 2 }])('a stream with %o stops the start', async (settings) => {
  const [name = ''] = Object.keys(settings);
  const event = {
    id: crypto.randomUUID(),
    type: '$metadata',
    contentType: 'application/json',
    customMetadata: Buffer.alloc(0),
  };
  const data = Buffer.from(JSON.stringify(settings));
  const parts = await serving(server.store.all);
  servers.at(-1)?.store.append({ stream: `$$${ofChain()}`, expected: 'any', events: [{ ...event, data }] });
  await expect(requireStreamHome(parts)).rejects.toThrow(`has the setting ${name}`);
});

const metadata = (settings: object): Parameters<EventStoreServer['store']['append']>[0] => ({
  stream: `$$${ofChain()}`,
  expected: 'any',
  events: [
    {
      id: crypto.randomUUID(),
      type: '$metadata',
      contentType: 'application/json',
      data: Buffer.from(JSON.stringify(settings)),
      customMetadata: Buffer.alloc(0),
    },
  ],
});

// @covers EVS-REMOVAL
it('a stream that a scavenge has robbed of its beginning stops the start, and its ledger moves to another prefix', async () => {
  const parts = await serving(server.store.all);
  const { store: there } = servers.at(-1) ?? server;
  there.append(metadata({ $maxCount: 1 }));
  there.scavenge();
  there.append(metadata({}));
  await expect(requireStreamHome(parts)).rejects.toThrow(
    /has lost its beginning, for its first event is number \d+: move the ledger to streams with another EVENTSTORE_PREFIX, with counterfoil migrate-ledger/,
  );
  const moved = { ...parts, prefix: 'elsewhere' };
  expect(await moveToStreams({ ...moved, onProgress: () => undefined })).toContain('holds the ledger from now on');
  await requireStreamHome(moved);
  await expect(requireStreamHome(parts)).rejects.toThrow('prefix elsewhere');
  await store.database.transaction((tx) => writeHome(tx, { prefix: 'counterfoil' }));
});

// @covers EVS-REMOVAL
it('a stream that was deleted permanently stops the start at once', async () => {
  const parts = await serving(server.store.all);
  servers.at(-1)?.store.delete(ofChain(), 'any', 'tombstone');
  await expect(requireStreamHome(parts)).rejects.toThrow(
    /was deleted permanently \(it has a tombstone\): .*migrate-ledger/,
  );
  const move = { ...parts, onProgress: () => undefined };
  await expect(moveToDatabase(move)).rejects.toThrow(CannotMigrateLedger);
  await expect(moveToStreams(move)).rejects.toThrow(/tombstone.*another EVENTSTORE_PREFIX.*The engine was not changed/);
});

// @covers EVS-POSITION
it.each([
  ['does not know', ({ commit, prepare }: StreamPosition) => ({ commit: commit - 1n, prepare: prepare - 1n })],
  ['has not reached', ({ commit, prepare }: StreamPosition) => ({ commit: commit * 10n, prepare: prepare * 10n })],
])('a restored cluster that %s the stored position is started on, and followed', async (_, change) => {
  const parts = await serving(server.store.all);
  const end = await parts.streams.end();
  if (!end) throw new Error('there are no events');
  await store.sql('delete from stream_position');
  await store.database.transaction((tx) => writePosition(tx, change(end)));
  await requireStreamHome(parts);
  expect(await store.database.read(readPosition)).toEqual(end);
});

it('a server that does not answer stops the start with a sentence without the credentials', async () => {
  const gone = await startEventStore();
  await gone.stop();
  const stopped = requireStreamHome(partsOn(gone.url.replace('://', '://someone:s%40cret@')));
  await expect(stopped).rejects.toThrow(/start EventStoreDB, or correct EVENTSTORE_URL\.$/);
  await expect(stopped).rejects.not.toThrow(/s@cret|s%40cret|someone/);
});

// @covers EVS-BEHIND
it('a stream that is behind its replica is never appended to', async () => {
  const parts = await serving(server.store.all.filter((event) => !isLast(event)));
  const append = await writes(store, caller, ['behind']);
  const before = servers.at(-1)?.store.all.length;
  await expect(eventStoreLedger(parts).append(caller.workspaceId, append.head, append.commits)).rejects.toThrow(
    ChainHalted,
  );
  expect(servers.at(-1)?.store.all.length).toBe(before);
  await store.sql('delete from pending_appends');
  await store.sql('delete from halted_chains');
});

// @covers EVS-CATCH-UP
it('a replica behind its stream is caught up at the start, also with chains that it does not know', async () => {
  const replica = await newStore((database) =>
    eventStoreLedger({ database, project, streams: openStreams(server.url), prefix: 'counterfoil' }),
  );
  const parts = { ...partsOn(server.url), database: replica.database };
  await requireStreamHome(parts);
  const rows = (of: Store) => of.sql('select chain, seq, hash from entries order by chain, seq');
  expect(await rows(replica)).toEqual(await rows(store));
  const chains = (of: Store) => of.sql('select chain, genesis, tag_key, head_seq from chains order by chain');
  expect(await chains(replica)).toEqual(await chains(store));
  await store.add(caller, 'three');
  expect((await catchUp(parts, caller.workspaceId)).applied).toBe(1);
  expect(await rows(replica)).toEqual(await rows(store));
  expect(
    await replica.sql('select 1 from vault v join receipts r using (receipt_id) where r.workspace_id = $1', [
      caller.workspaceId,
    ]),
  ).toEqual([]);
  await replica.close();
});
