import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { project } from '../../../projections/all.js';
import { openStreams } from '../../../src/adapters/eventstore/streams.js';
import { realWorld as world } from '../../../src/base/world.js';
import { addMemory } from '../../../src/commands/add-memory.js';
import { answering, once } from '../../../src/commands/once.js';
import { createRun } from '../../../src/commands/run.js';
import { stateLoader } from '../../../src/commands/state/state.js';
import type { Caller } from '../../../src/domain/caller.js';
import { eventStoreLedger } from '../../../src/ledger/engines/eventstore.js';
import { type CatchUpParts, catchUp, ForkedStream, resolvePending } from '../../../src/ledger/eventstore/catch-up.js';
import { eventId, eventsOf, streamOf } from '../../../src/ledger/eventstore/events.js';
import { requireStreamHome } from '../../../src/ledger/eventstore/require-home.js';
import type { Streams } from '../../../src/ledger/eventstore/streams.js';
import { sweepPending } from '../../../src/ledger/eventstore/sweep.js';
import { EntryTooLarge } from '../../../src/ledger/ledger.js';
import { createSettledTimes } from '../../../src/ledger/settled.js';
import { fsck } from '../../../src/maintenance/fsck.js';
import { wireEventStore } from '../../../src/wiring/eventstore.js';
import { decided, writes } from '../../ledger/decided.js';
import { memoryOf } from '../../maintenance/memories.js';
import { models, newStore, type Store } from '../../maintenance/store.js';
import { type EventStoreServer, startEventStore } from '../../support/eventstore-server/server.js';

let server: EventStoreServer;
let store: Store;
let parts: CatchUpParts;
let caller: Caller;

beforeAll(async () => {
  server = await startEventStore();
  store = await newStore((database) => {
    parts = { database, project, streams: openStreams(server.url), prefix: 'counterfoil' };
    return eventStoreLedger(parts);
  });
});
beforeEach(async () => {
  caller = await store.openWorkspace();
});
afterAll(async () => {
  await parts.streams.close();
  await store.close();
  await server.stop();
});

type Point = 'before the append' | 'during the append' | 'after the append';

/** The ledger of a process that ends at this point, and does nothing any more from then on. */
function crashing(at: Point) {
  const streams: Streams = {
    ...parts.streams,
    async append(...given) {
      if (at === 'before the append') throw new Error('the process has crashed');
      await parts.streams.append(...given);
      throw new Error('the process has crashed');
    },
  };
  const database = {
    ...store.database,
    transaction: store.database.transaction.bind(store.database),
    read: store.database.read.bind(store.database),
    maintain: store.database.maintain.bind(store.database),
    close: store.database.close.bind(store.database),
  };
  let transactions = 0;
  if (at === 'after the append') {
    streams.append = parts.streams.append;
    database.transaction = (work) => {
      transactions += 1;
      return transactions > 1 ? Promise.reject(new Error('the process has crashed')) : store.database.transaction(work);
    };
  }
  return eventStoreLedger({ ...parts, database, streams });
}

const contents = async () => {
  const rows = await store.sql<{ content: string }>(
    'select v.content from vault v join memories m on m.receipt_id = v.receipt_id where m.workspace_id = $1',
    [caller.workspaceId],
  );
  return rows.map(({ content }) => content).toSorted();
};
const staged = () => store.sql('select 1 from pending_appends where chain = $1', [caller.workspaceId]);
const inStream = () => server.store.all.filter(({ stream }) => stream === streamOf('counterfoil', caller.workspaceId));
const restarted = () => eventStoreLedger(parts);
const age = (seconds: number) =>
  store.sql(`update pending_appends set staged_at = now() - $1 * interval '1 second'`, [seconds]);

async function crashed(at: Point, texts: readonly string[]) {
  const append = await writes(store, caller, texts);
  await expect(crashing(at).append(caller.workspaceId, append.head, append.commits)).rejects.toThrow();
  return append;
}

async function checkWhole(): Promise<void> {
  const tables = await store.sql<{ hash: string }>(
    `select encode(hash, 'hex') as hash from entries where chain = $1 order by seq`,
    [caller.workspaceId],
  );
  const links = await restarted().read(caller.workspaceId, 0, 1000);
  expect(tables.map(({ hash }) => hash)).toEqual(links.map(({ hash }) => hash));
  expect(await staged()).toEqual([]);
  expect((await fsck(store.database, models, { onProgress: () => undefined })).faults).toBeNull();
}

// @covers EVS-STREAM EVS-EVENT-ID
it('a chain is a stream whose revisions are the places of its entries', async () => {
  await store.add(caller, 'one');
  const links = await restarted().read(caller.workspaceId, 0, 100);
  const [genesis, ...entries] = inStream();
  expect(genesis).toMatchObject({ type: 'genesis', revision: 0 });
  expect(entries.map(({ revision }) => revision)).toEqual(links.map(({ seq }) => seq));
  expect(entries.map(({ id }) => id)).toEqual(links.map(({ hash }) => eventId(hash)));
  for (const { type, data } of entries) expect(JSON.parse(Buffer.from(data).toString()).kind).toBe(type);
  expect(eventId('ab')).toBe('868a1c50-9dd4-5465-87e4-fcce98e01696');
});

describe.each(['before the append', 'during the append', 'after the append'] as const)('a crash %s', (at) => {
  it('leaves nothing that is seen, and the same append again settles it', async () => {
    const append = await crashed(at, ['first', 'second']);
    expect(await contents()).toEqual([]);
    expect(await staged()).toHaveLength(1);
    expect(inStream()).toHaveLength(append.head.seq + (at === 'before the append' ? 1 : 3));
    const again = await restarted().append(caller.workspaceId, append.head, append.commits, () => true);
    expect(again).toEqual({ outcome: 'appended' });
    expect(await contents()).toEqual(['first', 'second']);
    await checkWhole();
  });

  // @covers EVS-STAGED
  it('is repaired by the next start as far as the stream says, and by the next writer', async () => {
    await crashed(at, ['crashed']);
    await requireStreamHome(parts);
    expect(await contents()).toEqual(at === 'before the append' ? [] : ['crashed']);
    expect(await staged()).toHaveLength(at === 'before the append' ? 1 : 0);
    await store.add(caller, 'next');
    await resolvePending(parts, caller.workspaceId);
    expect(await contents()).toEqual(at === 'before the append' ? ['next'] : ['crashed', 'next']);
    await checkWhole();
  });
});

it('a writer whose tables are behind has a conflict, which brings them up to date', async () => {
  await crashed('after the append', ['by the crashed one']);
  const run = createRun(restarted(), stateLoader(store.database, world.now), world);
  await run(caller.workspaceId, addMemory(world, caller, memoryOf('by another')));
  expect(await contents()).toEqual(['by another', 'by the crashed one']);
  await checkWhole();
});

it('a request with a key finds its answer when it is repeated after a crash', async () => {
  const request = { requestKey: world.nonce(), digest: 'the same' };
  const command = () =>
    once(
      answering(addMemory(world, caller, memoryOf('keyed')), (body) => ({ status: 202, body })),
      request,
    );
  const append = await decided(store, caller, [command()]);
  const ledger = crashing('after the append');
  await expect(ledger.append(caller.workspaceId, append.head, append.commits)).rejects.toThrow();
  const answer = await createRun(
    restarted(),
    stateLoader(store.database, world.now),
    world,
  )(caller.workspaceId, command());
  expect(answer).toMatchObject({ status: 202 });
  expect(await contents()).toEqual(['keyed']);
  await checkWhole();
});

// @covers EVS-STAGED EVS-STAGED-ALERT
it('age alone removes no staged row; the entry that takes its place does', async () => {
  await crashed('before the append', ['staged long ago']);
  await age(100_000);
  await sweepPending(parts);
  await catchUp(parts, caller.workspaceId);
  expect(await staged()).toHaveLength(1);
  expect(await contents()).toEqual([]);
  await store.add(caller, 'takes the place');
  await sweepPending(parts);
  await checkWhole();
  expect(await contents()).toEqual(['takes the place']);
});

// @covers EVS-STAGED-ALERT
it('an append that was staged more than a day ago is an alert, until its chain is written to', async () => {
  await crashed('before the append', ['in doubt']);
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const parted = { background: store.database, world, log, owner: world.nonce(), closeLedger: async () => undefined };
  const [engine] = wireEventStore({ ...parted, streams: parts });
  const problems = async () => (await engine?.health())?.problems;
  await age(23 * 3600);
  expect(await problems()).toEqual([]);
  await age(25 * 3600);
  const sentence = 'an append to EventStoreDB was staged 25 hours ago and is in doubt until its chain is written to';
  for (let looks = 0; looks < 3; looks += 1) {
    expect(await problems()).toEqual([sentence]);
    await sweepPending(parts);
    await resolvePending(parts, caller.workspaceId);
  }
  expect(lines.filter((line) => line.includes('an append was staged a day ago and is in doubt'))).toHaveLength(1);
  expect(await staged()).toHaveLength(1);
  await store.add(caller, 'ends the doubt');
  await sweepPending(parts);
  expect(await problems()).toEqual([]);
  expect(await staged()).toEqual([]);
});

it('an append that its process has left is appended again, which ends its doubt', async () => {
  await crashed('before the append', ['left']);
  await age(11);
  await sweepPending(parts);
  expect(await staged()).toHaveLength(1);
  await age(60);
  await sweepPending(parts);
  expect(await contents()).toEqual(['left']);
  await checkWhole();
});

// @covers EVS-STAGED-SETTLED
it('the ledger is not settled beyond an append that is staged', async () => {
  const append = await crashed('during the append', ['unsettled']);
  const recordedMs = Date.parse(append.commits[0]?.entries[0]?.entry.recorded_at ?? '');
  const times = createSettledTimes(store.database);
  expect(await times.settle(recordedMs)).toBeLessThan(recordedMs);
  expect(await times.settle(recordedMs - 1)).toBe(recordedMs - 1);
  await catchUp(parts, caller.workspaceId);
  expect(await times.settle(recordedMs)).toBe(recordedMs);
});

it('of two processes that append at once one wins, and the staged row of the other one goes', async () => {
  const rivals = await Promise.all(['a', 'b', 'c'].map((text) => writes(store, caller, [text])));
  const ledgers = rivals.map(() => eventStoreLedger({ ...parts, streams: openStreams(server.url) }));
  const outcomes = await Promise.all(
    rivals.map(({ head, commits }, i) => ledgers[i]?.append(caller.workspaceId, head, commits)),
  );
  expect(outcomes.map((one) => one?.outcome).toSorted()).toEqual(['appended', 'conflict', 'conflict']);
  await checkWhole();
});

// @covers EVS-REPLAY
it('an entry whose staged row is lost is applied without its deposit', async () => {
  await crashed('after the append', ['lost']);
  await store.sql('delete from pending_appends');
  await catchUp(parts, caller.workspaceId);
  expect(await contents()).toEqual([]);
  expect(await store.sql('select 1 from receipts where workspace_id = $1', [caller.workspaceId])).toHaveLength(
    (await restarted().read(caller.workspaceId, 0, 100)).length,
  );
});

// @covers EVS-APPEND-SIZE
it('an append that is larger than 1 MiB is refused before it is staged', async () => {
  const append = await writes(store, caller, ['large']);
  const [commit] = append.commits;
  const [entry] = commit?.entries ?? [];
  if (!commit || !entry) throw new Error('there is no entry');
  const large = { ...entry, bytes: Buffer.alloc(400_000, 'x') };
  const commits = [{ ...commit, entries: [large, large, large] }];
  await expect(restarted().append(caller.workspaceId, append.head, commits)).rejects.toThrow(EntryTooLarge);
  expect(await staged()).toEqual([]);
});

// It is the last test, because it leaves a chain that nothing can repair.
it('a stream that ends within a staged append, which no server of EventStoreDB leaves, is an error', async () => {
  const append = await crashed('before the append', ['first', 'second']);
  const name = streamOf('counterfoil', caller.workspaceId);
  await parts.streams.append(name, append.head.seq, eventsOf(append.commits).slice(0, 1));
  await expect(catchUp(parts, caller.workspaceId)).rejects.toThrow(
    new ForkedStream(`the stream ${name} ends within an append of 2 entries, at 1`),
  );
});
