import db from '@eventstore/db-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EventStoreServer, startEventStore } from '../../support/eventstore-server/server.js';

/** The protocol server does here what a server of EventStoreDB 24.10 was seen to do. */
const { binaryEvent, EventStoreDBClient } = db;
type Client = InstanceType<typeof EventStoreDBClient>;

/** The client ignores these on an insecure channel, but uses its unary append. */
const unary = { credentials: { username: 'admin', password: 'changeit' }, deadline: 1500 };

const newEvent = (text: string) =>
  binaryEvent({ id: crypto.randomUUID(), type: 'memory.write', data: Buffer.from(text) });

let server: EventStoreServer;
let client: Client;
let count = 0;
let stream: string;

beforeAll(async () => {
  server = await startEventStore();
  client = EventStoreDBClient.connectionString(server.url);
});
afterAll(async () => {
  await client.dispose();
  await server.stop();
});

const nextStream = (): void => {
  count += 1;
  stream = `test-${count}`;
};

async function textsOf(name: string): Promise<string[]> {
  const texts: string[] = [];
  for await (const { event } of client.readStream(name)) {
    if (event) texts.push(Buffer.from(event.data instanceof Uint8Array ? event.data : []).toString());
  }
  return texts;
}

const all = () => server.store.all;
const positionOf = (commit: number, prepare = commit) => ({ commit: BigInt(commit), prepare: BigInt(prepare) });
const places = async (fromPosition: { commit: bigint; prepare: bigint }) => {
  const found: number[] = [];
  for await (const { event } of client.readAll({ fromPosition, maxCount: 3 })) {
    if (event) found.push(Number(event.position.commit));
  }
  return found;
};
/** The first event of a subscription to all streams, or its error. */
async function firstAfter(fromPosition: { commit: bigint; prepare: bigint }, onConfirmed = async () => undefined) {
  const subscription = client.subscribeToAll({ fromPosition });
  subscription.once('confirmation', () => void onConfirmed());
  try {
    for await (const { event } of subscription) return event?.type;
    return 'the end';
  } finally {
    await subscription.unsubscribe().catch(() => undefined);
    subscription.destroy();
  }
}

it('refuses a position of $all at which nothing begins, and takes one beyond the end', async () => {
  nextStream();
  await client.appendToStream(stream, [newEvent('a'), newEvent('b')], unary);
  const [last = 0] = all()
    .slice(-1)
    .map(({ position }) => position);
  expect(await places(positionOf(last))).toEqual([last]);
  const refused = expect(places(positionOf(last - 1))).rejects;
  await refused.toMatchObject({
    type: 'unknown',
    message: expect.stringContaining('ReadAllResult: InvalidPosition'),
  });
  await expect(firstAfter(positionOf(last - 1))).rejects.toThrow('Trying to read from an invalid position.');
  expect(await places(positionOf(10 * last))).toEqual([]);
  const append = async () => void (await client.appendToStream(stream, newEvent('c'), unary));
  const waiting = firstAfter(positionOf(10 * last), append);
  const silence = new Promise((resolve) => setTimeout(() => resolve('silence'), 300));
  expect(await Promise.race([waiting, silence])).toBe('silence');
  waiting.catch(() => undefined);
});

it('gives checkpoints whose prepare position is 0, and reads from them', async () => {
  nextStream();
  await client.appendToStream(
    stream,
    ['a', 'b', 'c'].map((text) => newEvent(text)),
    unary,
  );
  const [, second, third] = all().slice(-3);
  expect(await places(positionOf(second?.position ?? 0, 0))).toEqual([second?.position, third?.position]);
  expect(await firstAfter(positionOf(third?.position ?? 0, 0))).toBe('memory.write');
});

it('takes an append behind the last revision of a soft-deleted stream, and continues counting', async () => {
  nextStream();
  await client.appendToStream(stream, [newEvent('a'), newEvent('b')], unary);
  await client.deleteStream(stream);
  const again = await client.appendToStream(stream, newEvent('c'), { ...unary, expectedRevision: 1n });
  expect(again.nextExpectedRevision).toBe(2n);
  expect(await textsOf(stream)).toEqual(['c']);
  expect((await client.getStreamMetadata(stream)).metadata).toMatchObject({ truncateBefore: 2 });
});

it('is not ready while it starts, and ends subscriptions without an error when it is asked to end', async () => {
  const other = await startEventStore();
  const asking = EventStoreDBClient.connectionString(other.url);
  other.fail({ onCall: () => 'not-ready' });
  await expect(asking.appendToStream('any', newEvent('a'), unary)).rejects.toMatchObject({
    type: 'unavailable',
    message: expect.stringContaining('Server Is Not Ready'),
  });
  other.fail({});
  const subscription = asking.subscribeToAll({});
  subscription.once('confirmation', () => void other.shutDown());
  for await (const _ of subscription) expect(_).toBeUndefined();
  await asking.dispose();
});

it('refuses reads of the settings of a stream that was deleted permanently, too', async () => {
  nextStream();
  await client.appendToStream(stream, newEvent('a'), unary);
  await client.tombstoneStream(stream);
  await expect(textsOf(`$$${stream}`)).rejects.toMatchObject({ type: 'stream-deleted' });
  expect(all().at(-1)?.type).toBe('$streamDeleted');
});

it('removes with a scavenge what settings hide, and keeps the last event', async () => {
  nextStream();
  await client.appendToStream(
    stream,
    ['a', 'b', 'c'].map((text) => newEvent(text)),
    unary,
  );
  await client.setStreamMetadata(stream, { truncateBefore: 10 });
  server.store.scavenge();
  await client.setStreamMetadata(stream, {});
  const shown: bigint[] = [];
  for await (const { event } of client.readStream(stream)) if (event) shown.push(event.revision);
  expect(shown).toEqual([2n]);
  expect(all().filter((event) => event.stream === stream)).toHaveLength(1);
});
