import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import db from '@eventstore/db-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../support/eventstore-server/file.js';
import { startLink } from '../support/eventstore-server/link.js';
import { type EventStoreServer, startEventStore } from '../support/eventstore-server/server.js';

const { binaryEvent, EventStoreDBClient, streamNameFilter } = db;
type Client = InstanceType<typeof EventStoreDBClient>;

/** The client ignores these on an insecure channel, but uses its unary append. */
const unary = { credentials: { username: 'admin', password: 'changeit' }, deadline: 1500 };

const newEvent = (text: string, id: string = crypto.randomUUID()) =>
  binaryEvent({ id, type: 'memory.write', data: Buffer.from(text) });

let server: EventStoreServer;
let client: Client;
let count = 0;
let stream: string;

beforeAll(async () => {
  server = await startEventStore();
  client = EventStoreDBClient.connectionString(server.url);
});
afterEach(() => server.fail({}));
afterAll(async () => {
  await client.dispose();
  await server.stop();
});

const nextStream = (): string => {
  count += 1;
  stream = `test-${count}`;
  return stream;
};

async function textsOf(
  name: string,
  options: Parameters<Client['readStream']>[1] = {},
  by: Client = client,
): Promise<string[]> {
  const texts: string[] = [];
  for await (const { event } of by.readStream(name, options)) {
    if (event) texts.push(Buffer.from(event.data instanceof Uint8Array ? event.data : []).toString());
  }
  return texts;
}

describe.each([
  { path: 'unary', options: unary },
  { path: 'batch', options: {} },
])('an append by the $path path', ({ options }) => {
  it('is stored behind the expected revision, and refused behind another one', async () => {
    nextStream();
    const first = await client.appendToStream(stream, [newEvent('a'), newEvent('b')], {
      ...options,
      expectedRevision: 'no_stream',
    });
    expect(first).toMatchObject({ success: true, nextExpectedRevision: 1n });
    const wrong = client.appendToStream(stream, newEvent('c'), { ...options, expectedRevision: 0n });
    await expect(wrong).rejects.toMatchObject({ type: 'wrong-expected-version', actualVersion: 1n });
    expect(await textsOf(stream)).toEqual(['a', 'b']);
    expect(await textsOf(stream, { direction: 'backwards', fromRevision: 'end', maxCount: 1 })).toEqual(['b']);
    expect(await textsOf(stream, { fromRevision: 1n })).toEqual(['b']);
  });

  it('is a success when it is repeated, and compares ids only', async () => {
    nextStream();
    const ids = [crypto.randomUUID(), crypto.randomUUID()] as const;
    const send = (texts: readonly [string, string]) =>
      client.appendToStream(stream, [newEvent(texts[0], ids[0]), newEvent(texts[1], ids[1])], {
        ...options,
        expectedRevision: 'no_stream',
      });
    await send(['a', 'b']);
    await client.appendToStream(stream, newEvent('c'), { ...options, expectedRevision: 1n });
    // The answer names the last event of the repeated append, which lies before the end of the stream.
    expect(await send(['x', 'y'])).toMatchObject({ success: true, nextExpectedRevision: 1n });
    expect(await textsOf(stream)).toEqual(['a', 'b', 'c']);
  });

  it('is refused above the largest size', async () => {
    nextStream();
    const large = newEvent('x'.repeat(1024 * 1024));
    await expect(client.appendToStream(stream, large, options)).rejects.toMatchObject({
      type: 'maximum-append-size-exceeded',
    });
  });

  it('is refused on a deleted stream', async () => {
    nextStream();
    await client.appendToStream(stream, newEvent('a'), options);
    await client.tombstoneStream(stream);
    await expect(client.appendToStream(stream, newEvent('b'), options)).rejects.toMatchObject({
      type: 'stream-deleted',
    });
    await expect(textsOf(stream)).rejects.toMatchObject({ type: 'stream-deleted' });
  });
});

it('metadata of a stream hides its events, which stay in $all', async () => {
  nextStream();
  await client.appendToStream(
    stream,
    ['a', 'b', 'c'].map((text) => newEvent(text)),
  );
  await client.setStreamMetadata(stream, { maxCount: 1 });
  expect(await client.getStreamMetadata(stream)).toMatchObject({ metadata: { maxCount: 1 } });
  expect(await textsOf(stream)).toEqual(['c']);
  expect(server.store.all.filter((event) => event.stream === stream)).toHaveLength(3);
  await client.deleteStream(stream);
  await expect(textsOf(stream)).rejects.toMatchObject({ type: 'stream-not-found' });
  await client.appendToStream(stream, newEvent('d'), { expectedRevision: 'no_stream' });
  expect(await textsOf(stream)).toEqual(['d']);
});

it('a subscription by prefix gets what follows its position, then what is appended, with checkpoints between', async () => {
  nextStream();
  const prefix = `${stream}-`;
  const checkpoints: bigint[] = [];
  for (const name of ['1', '2']) await client.appendToStream(`${prefix}${name}`, newEvent(`old ${name}`), unary);
  const first = server.store.all.find((event) => event.stream === `${prefix}1`);
  const from = { commit: BigInt(first?.position ?? 0), prepare: BigInt(first?.position ?? 0) };
  const subscription = client.subscribeToAll({
    fromPosition: from,
    filter: streamNameFilter({
      prefixes: [prefix],
      checkpointInterval: 1,
      maxSearchWindow: 2,
      checkpointReached: async (_subscription, { commit }) => void checkpoints.push(commit),
    }),
  });
  let isCaughtUp = false;
  subscription.on('caughtUp', () => {
    isCaughtUp = true;
  });
  const seen: string[] = [];
  for await (const { event } of subscription) {
    seen.push(Buffer.from(event?.data instanceof Uint8Array ? event.data : []).toString());
    if (seen.length === 1) {
      await client.appendToStream('another', newEvent('not seen'), unary);
      await client.appendToStream(`${prefix}1`, [newEvent('new 1'), newEvent('new 2'), newEvent('new 3')], unary);
    }
    if (seen.length === 4) break;
  }
  await subscription.unsubscribe();
  subscription.destroy();
  expect(seen).toEqual(['old 2', 'new 1', 'new 2', 'new 3']);
  expect(isCaughtUp).toBe(true);
  expect(checkpoints.length).toBeGreaterThanOrEqual(1);
});

it.each([
  { fault: 'drop', error: 'unavailable', stored: 0 },
  { fault: 'persist-then-drop', error: 'unavailable', stored: 1 },
  { fault: 'persist-then-hang', error: 'deadline-exceeded', stored: 1 },
  { fault: 'persist-then-timeout', error: 'timeout', stored: 1 },
  { fault: 'not-leader', error: 'not-leader', stored: 0 },
] as const)('the fault $fault is $error, and a repetition leaves the event once', async ({ fault, error, stored }) => {
  nextStream();
  const event = newEvent('a');
  const append = () => client.appendToStream(stream, event, { ...unary, deadline: 300, expectedRevision: 'no_stream' });
  server.fail({ onAppend: () => fault });
  await expect(append()).rejects.toMatchObject({ type: error });
  expect(server.store.all.filter((one) => one.stream === stream)).toHaveLength(stored);
  server.fail({});
  // The client finds the leader that an error has named, which here is the same server.
  await expect(append()).resolves.toMatchObject({ success: true, nextExpectedRevision: 0n });
  expect(await textsOf(stream)).toEqual(['a']);
});

it('a client finds the leader by gossip, and a follower refuses what needs the leader', async () => {
  const follower = await startEventStore({
    store: server.store,
    leader: { host: '127.0.0.1', port: server.port },
    seen: () => 0,
  });
  const discovering = EventStoreDBClient.connectionString(follower.url.replace('esdb:', 'esdb+discover:'));
  const direct = EventStoreDBClient.connectionString(follower.url);
  try {
    nextStream();
    await discovering.appendToStream(stream, newEvent('a'), unary);
    expect(await textsOf(stream)).toEqual(['a']);
    await expect(textsOf(stream, {}, direct)).rejects.toMatchObject({ type: 'stream-not-found' });
    await expect(textsOf(stream, { requiresLeader: true }, direct)).rejects.toMatchObject({ type: 'not-leader' });
  } finally {
    await Promise.all([discovering.dispose(), direct.dispose(), follower.stop()]);
  }
});

it('streams are there after a restart on the same port, from a file too', async () => {
  const file = join(tmpdir(), `streams-${crypto.randomUUID()}`);
  const before = openStore(file);
  const first = await startEventStore({ store: before.store });
  const other = EventStoreDBClient.connectionString(first.url);
  try {
    await other.appendToStream('kept', [newEvent('a'), newEvent('b')], { expectedRevision: 'no_stream' });
    await first.stop();
    before.close();
    await expect(other.appendToStream('kept', newEvent('c'), unary)).rejects.toThrow();
    const again = openStore(file);
    const second = await startEventStore({ store: again.store, port: first.port });
    await other.appendToStream('kept', newEvent('c'), { ...unary, expectedRevision: 1n });
    expect(second.store.all.map(({ revision }) => revision)).toEqual([0, 1, 2]);
    await second.stop();
    again.close();
  } finally {
    await other.dispose();
    rmSync(file, { force: true });
  }
});

it('a link can be cut and frozen', async () => {
  const link = await startLink(() => server.port);
  const linked = EventStoreDBClient.connectionString(link.urlOf(server.url));
  const append = (text: string, deadline: number) =>
    linked.appendToStream(stream, newEvent(text), { ...unary, deadline });
  try {
    nextStream();
    await append('a', 1500);
    link.freeze();
    await expect(append('b', 200)).rejects.toMatchObject({ type: 'deadline-exceeded' });
    link.thaw();
    await append('c', 1500);
    const lost = append('d', 1500);
    link.cut();
    await expect(lost).rejects.toMatchObject({ type: 'unavailable' });
    await append('e', 1500);
    expect(await textsOf(stream)).toEqual(expect.arrayContaining(['a', 'c', 'e']));
  } finally {
    await linked.dispose();
    await link.close();
  }
});
