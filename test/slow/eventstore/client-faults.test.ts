import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { project } from '../../../projections/all.js';
import { openStreams } from '../../../src/adapters/eventstore/streams.js';
import { realWorld } from '../../../src/base/world.js';
import { addMemory } from '../../../src/commands/add-memory.js';
import { createRun } from '../../../src/commands/run.js';
import { stateLoader } from '../../../src/commands/state/state.js';
import type { Caller } from '../../../src/domain/caller.js';
import { eventStoreLedger } from '../../../src/ledger/engines/eventstore.js';
import type { StreamPosition, Streams } from '../../../src/ledger/eventstore/streams.js';
import { fsck } from '../../../src/maintenance/fsck.js';
import { memoryOf } from '../../maintenance/memories.js';
import { newStore, type Store } from '../../maintenance/store.js';
import { type Link, startLink } from '../../support/eventstore-server/link.js';
import { type EventStoreServer, startEventStore } from '../../support/eventstore-server/server.js';

const prefix = 'faults';
/** How long a call waits for its answer here. */
const waitMs = 1000;
/** A call without an answer, the repetition of the append, and what a loaded machine needs for them. */
const recoveryMs = 60_000;

let server: EventStoreServer;
let link: Link;
/** Without the short limit: a loaded machine may need longer to prepare the store. */
let patient: Streams;
let streams: Streams;
let store: Store;
let caller: Caller;
/** Stores a memory of the caller within the short limit. */
let add: (text: string) => Promise<unknown>;
let count = 0;

beforeAll(async () => {
  server = await startEventStore();
  link = await startLink(() => server.port);
  patient = openStreams(server.url);
  store = await newStore((database) => eventStoreLedger({ database, project, streams: patient, prefix }));
  caller = await store.openWorkspace();
  streams = openStreams(link.urlOf(server.url), waitMs);
  add = adderOf(streams);
});
afterEach(() => server.fail({}));
afterAll(async () => {
  await streams.close();
  await patient.close();
  await store.close();
  await link.close();
  await server.stop();
});

/** Stores memories of the caller as another process does, with a connection of its own. */
function adderOf(own: Streams): (text: string) => Promise<unknown> {
  const ledger = eventStoreLedger({ database: store.database, project, streams: own, prefix });
  const run = createRun(ledger, stateLoader(store.database, realWorld.now), realWorld);
  return (text) => run(caller.workspaceId, addMemory(realWorld, caller, memoryOf(text)));
}

function contents(): string[] {
  count += 1;
  return ['heron', 'otter', 'stoat'].map((animal) => `${animal} ${count}`);
}

/** Writes while `fault` works. @returns how long the slowest of them took */
async function writeDuring(texts: readonly string[], fault: () => Promise<void>): Promise<number> {
  const since = performance.now();
  const writing = Promise.all(texts.map(add));
  await Promise.all([writing, fault()]);
  return performance.now() - since;
}

/** Nothing is lost, nothing is stored twice, and the tables are what the stream is. */
async function requireOnce(texts: readonly string[]): Promise<void> {
  const rows = await store.sql<{ content: string }>('select content from vault where content = any($1::text[])', [
    texts,
  ]);
  expect(rows.map(({ content }) => content).toSorted()).toEqual(texts.toSorted());
  const [chain] = await store.sql<{ head_seq: number }>('select head_seq from chains where chain = $1', [
    caller.workspaceId,
  ]);
  const stored = server.store.all.filter(({ stream }) => stream === `${prefix}-${caller.workspaceId}`);
  expect(stored.map(({ revision }) => revision)).toEqual(
    Array.from({ length: (chain?.head_seq ?? 0) + 1 }, (_, i) => i),
  );
  const parts = { onProgress: () => undefined, streams: { streams, prefix } };
  expect((await fsck(store.database, [], parts)).faults).toBeNull();
  expect(await store.sql('select 1 from pending_appends')).toEqual([]);
}

async function recovers(fault: () => Promise<void>): Promise<void> {
  const texts = contents();
  const ms = await writeDuring(texts, fault);
  console.log(`${expect.getState().currentTestName}: ${Math.round(ms)} ms`);
  expect(ms).toBeLessThan(recoveryMs);
  await requireOnce(texts);
}

// @covers ES-FAULTS-1 ES-FAULTS-2
it.each([
  'drop',
  'hang',
  'timeout',
  'persist-then-drop',
  'persist-then-hang',
  'persist-then-timeout',
  'not-leader',
] as const)('an append that the server answers with %s, twice', (fault) => {
  let left = 2;
  server.fail({
    onAppend() {
      left -= 1;
      return left >= 0 ? fault : undefined;
    },
  });
  return recovers(async () => undefined);
});

it('a wrong revision, because another process appends to the same chain', async () => {
  const other = openStreams(server.url, waitMs);
  const addThere = adderOf(other);
  const texts = Array.from({ length: 5 }, contents).flat();
  await writeDuring(texts.slice(0, 8), async () => {
    for (const text of texts.slice(8)) await addThere(text);
  });
  await requireOnce(texts);
  await other.close();
});

it('a server that is silent at first contact', async () => {
  link.freeze();
  const silent = openStreams(link.urlOf(server.url), waitMs);
  const since = performance.now();
  await expect(silent.append(`${prefix}-silent`, null, [])).rejects.toThrow('has not answered');
  // Less than the default limit, which would otherwise end the wait.
  expect(performance.now() - since).toBeLessThan(5000);
  link.thaw();
  expect(await silent.last(`${prefix}-silent`)).toBeNull();
  await silent.close();
});

it('a read whose connection is discarded for the silence of another call fails, and is no end of a stream', async () => {
  const others = openStreams(server.url, waitMs);
  const stream = `${prefix}-${caller.workspaceId}`;
  expect(await others.last(stream)).not.toBeNull();
  server.fail({ onRead: () => 'hang' });
  const silent = expect(others.last(stream)).rejects.toThrow('has not answered');
  await sleep(waitMs / 2);
  const calls = [others.read(stream, 0, 10), others.last(stream), others.removingSettings(stream), others.end()];
  const results = await Promise.allSettled(calls);
  await silent;
  expect(results.map(({ status }) => status)).toEqual(calls.map(() => 'rejected'));
  server.fail({});
  expect(await others.last(stream)).not.toBeNull();
  await others.close();
});

it('a frozen link, which later passes what it has held up', () =>
  recovers(async () => {
    link.freeze();
    await sleep(2 * waitMs);
    link.thaw();
  }));

it('a link that is cut again and again', () =>
  recovers(async () => {
    for (let i = 0; i < 10; i += 1) {
      link.cut();
      await sleep(30);
    }
  }));

it('a link whose server side is closed without an answer', () => recovers(async () => link.halfClose()));

it('a server that is restarted on its port, and away for a moment', () =>
  recovers(async () => {
    const { port, store: kept } = server;
    await server.stop();
    await sleep(500);
    server = await startEventStore({ port, store: kept });
  }));

it('a subscription that is lost, and a consumer that is slow', async () => {
  const seen: string[] = [];
  let after: StreamPosition | null = null;
  const ended = new AbortController();
  const stream = `${prefix}-subscribed`;
  const subscriber = {
    event: ({ stream: of, revision }: { stream: string; revision: number }) => {
      if (of !== stream) return;
      seen.push(String(revision));
      // A consumer that takes longer than the server needs to send.
      for (const until = performance.now() + 2; performance.now() < until; );
      if (seen.length === 300) ended.abort();
    },
    reached(position: StreamPosition) {
      after = position;
    },
  };
  let losses = 0;
  const following = (async () => {
    while (!ended.signal.aborted) {
      await streams.subscribe(stream, after, subscriber, ended.signal).catch(() => {
        losses += 1;
      });
    }
  })();
  try {
    for (let revision = -1; revision < 299; revision += 100) {
      const events = Array.from({ length: 100 }, () => ({
        id: crypto.randomUUID(),
        type: 'x',
        data: Buffer.alloc(1000),
        metadata: {},
      }));
      // By another way, which is not cut.
      await patient.append(stream, revision === -1 ? null : revision, events);
      await sleep(50);
      link.cut();
    }
  } catch (error) {
    // Otherwise the subscriber would continue forever.
    ended.abort();
    throw error;
  }
  await following;
  expect(losses).toBeGreaterThan(0);
  expect(seen).toEqual(Array.from({ length: 300 }, (_, revision) => String(revision)));
});
