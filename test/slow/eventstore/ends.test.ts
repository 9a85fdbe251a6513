import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openStreams } from '../../../src/adapters/eventstore/streams.js';
import type { NewEvent, StreamPosition, Streams } from '../../../src/ledger/eventstore/streams.js';
import { StreamsUnavailable } from '../../../src/ledger/eventstore/streams.js';
import { type EventStoreServer, startEventStore } from '../../support/eventstore-server/server.js';

/** A lost connection must never look like the end of a stream, or of all of them. */
let server: EventStoreServer;
let streams: Streams;

beforeAll(async () => {
  server = await startEventStore();
  streams = openStreams(server.url);
});
afterEach(() => server.fail({}));
afterAll(async () => {
  await streams.close();
  await server.stop();
});

const events = (count: number): NewEvent[] =>
  Array.from({ length: count }, (_, n) => ({
    id: crypto.randomUUID(),
    type: 'one',
    data: Buffer.from(`{"n":${n}}`),
    metadata: {},
  }));

// @covers EVS-ENDS
it.each(['cancel', 'drop'] as const)('a read that the server breaks off is no end of a stream: %s', async (fault) => {
  const stream = `ends-${fault}`;
  await streams.append(stream, null, events(10));
  server.fail({ onRead: () => `some-then-${fault}` as const });
  await expect(streams.read(stream, 0, 10)).rejects.toThrow(StreamsUnavailable);
  await expect(streams.placesAfter(null, 10)).rejects.toThrow(StreamsUnavailable);
  const given: unknown[] = [];
  const subscriber = { event: (place: unknown) => given.push(place), reached: () => undefined };
  const following = streams.subscribe('ends-', null, subscriber, new AbortController().signal);
  await expect(following).rejects.toThrow(StreamsUnavailable);
  server.fail({});
  expect(await streams.read(stream, 0, 20)).toHaveLength(10);
});

// @covers EVS-ENDS
it('a subscriber has every event before the position that it has reached', async () => {
  for (let n = 0; n < 6; n += 1) await streams.append(`order-${n}`, null, events(500));
  const all = server.store.all.filter(({ stream }) => stream.startsWith('order-'));
  let given = 0;
  const early: StreamPosition[] = [];
  const stop = new AbortController();
  const subscriber = {
    event() {
      given += 1;
      if (given === all.length) stop.abort();
    },
    reached(position: StreamPosition) {
      const next = all[given];
      const { commit, prepare } = position;
      if (next && (next.position < commit || (next.position === Number(commit) && next.position <= prepare)))
        early.push(position);
    },
  };
  await streams.subscribe('order-', null, subscriber, stop.signal);
  expect(given).toBe(all.length);
  expect(early).toEqual([]);
});

it('many calls at the same time are no reason for a warning of Node', async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error) => void warnings.push(warning);
  process.on('warning', listen);
  await Promise.all(Array.from({ length: 40 }, (_, n) => streams.last(`order-${n}`)));
  await setImmediate();
  process.off('warning', listen);
  expect(warnings).toEqual([]);
});
