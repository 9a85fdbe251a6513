import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Database } from '../../src/database/database.js';
import { followStreams } from '../../src/ledger/eventstore/follow-streams.js';
import { type Streams, StreamsUnavailable } from '../../src/ledger/eventstore/streams.js';

const unused = () => Promise.reject(new Error('this is not called here'));

/** A database that answers every query with no row, and late. */
const slowDatabase: Database = {
  transaction: unused,
  maintain: unused,
  readEach: unused,
  close: async () => undefined,
  async read(work) {
    await pause(20);
    return work({ query: async () => [], select: async () => [], write: async () => undefined });
  },
};

const awayStreams: Streams = {
  append: unused,
  read: unused,
  last: unused,
  removingSettings: unused,
  placesAfter: unused,
  end: unused,
  subscribe: () => Promise.reject(new StreamsUnavailable('the server is away')),
  isUp: () => false,
  losses: () => 0,
  close: async () => undefined,
};

// @covers EVS-ENDS
it('fails as the subscription does, and leaves no rejection unhandled, however slow the database is', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const parts = { database: slowDatabase, project: unused, streams: awayStreams, prefix: 'counterfoil' };
  const following = followStreams(parts, {
    signal: new AbortController().signal,
    keep: async () => true,
    onFault: () => undefined,
    onHalt: () => undefined,
  });
  await expect(following).rejects.toThrow(StreamsUnavailable);
  await pause(20);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
