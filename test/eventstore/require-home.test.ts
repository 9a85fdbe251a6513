// @projects slow
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EventStoreServer, startEventStore } from '../../ops/eventstore-server/server.js';
import { createStore, type Recorded, type Transaction } from '../../ops/eventstore-server/store.js';
import { project } from '../../projections/all.js';
import { openStreams } from '../../src/adapters/eventstore/streams.js';
import type { Caller } from '../../src/domain/caller.js';
import { eventStoreLedger } from '../../src/ledger/engines/eventstore.js';
import { type CatchUpParts, catchUp, ForkedStream } from '../../src/ledger/eventstore/catch-up.js';
import { streamOf } from '../../src/ledger/eventstore/events.js';
import { requireDatabaseHome, requireStreamHome } from '../../src/ledger/eventstore/require-home.js';
import { writes } from '../ledger/decided.js';
import { newStore, type Store } from '../maintenance/store.js';

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
    ForkedStream,
  );
  expect(servers.at(-1)?.store.all.length).toBe(before);
  await store.sql('delete from pending_appends');
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
