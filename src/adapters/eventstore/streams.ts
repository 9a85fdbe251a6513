import {
  type AllStreamSubscription,
  type AppendExpectedRevision,
  BACKWARDS,
  binaryEvent,
  END,
  type EventStoreDBClient,
  FORWARDS,
  isCommandError,
  NO_STREAM,
  type ReadPosition,
  type ResolvedEvent,
  START,
  type StreamingRead,
  streamNameFilter,
} from '@eventstore/db-client';
import { orLate } from '../../base/deadline.js';
import type { EventPlace, StreamEvent, StreamPosition, Streams } from '../../ledger/eventstore/streams.js';
import { StreamsUnavailable } from '../../ledger/eventstore/streams.js';
import { readAddress } from './address.js';
import { type Connection, openConnection, patienceMs } from './connection.js';

/** The server's deadline for an append, in milliseconds. */
const appendMs = 5000;
/** A page of events ends when it has this number of bytes. */
const pageBytes = 4 * 1024 * 1024;
/** A page of places ends after this part of the time that a call may take, so that a slow read makes progress too. */
const pageShare = 1 / 3;
/** How often the server says how far it has read while no event is for the subscriber: every 32 × this number of events. */
const checkpointInterval = 32;
/** How long the end of a subscription is waited for, in milliseconds. */
const endMs = 1000;

/** @throws WrongSetting when it is no address of EventStoreDB */
export function openStreams(url: string, waitMs: number = patienceMs): Streams {
  const address = readAddress(url);
  const connection = openConnection(address, waitMs);
  const { credentials } = address;
  const asked = credentials ? { credentials, requiresLeader: true } : { requiresLeader: true };

  return {
    append: (stream, expected, events) =>
      connection.call('append', async (client) => {
        const proposed = events.map(({ id, type, data, metadata }) =>
          binaryEvent({ id, type, data: Uint8Array.from(data), metadata: { ...metadata } }),
        );
        const expectedRevision: AppendExpectedRevision = expected === null ? NO_STREAM : BigInt(expected);
        try {
          const options = { ...asked, expectedRevision, deadline: appendMs };
          return (await client.appendToStream(stream, proposed, options)).success ? 'appended' : 'wrong revision';
        } catch (error) {
          if (isOfType(error, 'wrong-expected-version')) return 'wrong revision';
          throw error;
        }
      }),
    read: (stream, from, limit) =>
      connection.call('read a stream', (client) =>
        pageOf(
          client.readStream(stream, { ...asked, fromRevision: BigInt(from), maxCount: limit, direction: FORWARDS }),
        ),
      ),
    last: (stream) =>
      connection.call('read the end of a stream', async (client) => {
        const reading = client.readStream(stream, { ...asked, fromRevision: END, maxCount: 1, direction: BACKWARDS });
        return (await pageOf(reading)).at(-1) ?? null;
      }),
    removingSettings: (stream) =>
      connection.call('read the settings of a stream', async (client) => {
        const reading = client.readStream(`$$${stream}`, {
          ...asked,
          fromRevision: END,
          maxCount: 1,
          direction: BACKWARDS,
        });
        return removingIn((await pageOf(reading)).at(-1)?.data);
      }),
    end: () =>
      connection.call('read the end of all streams', async (client) => {
        const reading = client.readAll({ ...asked, fromPosition: END, maxCount: 1, direction: BACKWARDS });
        for await (const { event } of reading) if (event) return event.position;
        return null;
      }),
    placesAfter: (after, limit) =>
      connection.call('read all streams', (client) =>
        placesIn(client, asked, { after, limit, mostMs: pageShare * waitMs }),
      ),
    subscribe: (prefix, after, subscriber, signal) =>
      subscribing(connection, asked, { prefix, after, subscriber, signal }),
    isUp: connection.isUp,
    losses: connection.losses,
    close: connection.close,
  };
}

type Asked = {
  readonly credentials?: { readonly username: string; readonly password: string };
  readonly requiresLeader: boolean;
};

const isOfType = (error: unknown, type: string): boolean =>
  error instanceof Error && isCommandError(error) && error.type === type;

/** The events of a read that ends: those that are left when the page is full of bytes are not read. */
async function pageOf(reading: StreamingRead<ResolvedEvent>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  let bytes = 0;
  try {
    for await (const { event } of reading) {
      if (!event) continue;
      const data = event.data instanceof Uint8Array ? event.data : Buffer.from(JSON.stringify(event.data ?? null));
      events.push({ revision: Number(event.revision), id: event.id, type: event.type, data, metadata: event.metadata });
      bytes += data.length;
      if (bytes >= pageBytes) break;
    }
  } catch (error) {
    if (isOfType(error, 'stream-not-found')) return [];
    throw error;
  } finally {
    void reading.cancel().catch(() => undefined);
    reading.destroy();
  }
  return events;
}

function removingIn(settings: Uint8Array | undefined): string[] {
  if (settings === undefined) return [];
  const read: unknown = JSON.parse(Buffer.from(settings).toString('utf8'));
  if (typeof read !== 'object' || read === null) return [];
  return ['$maxCount', '$maxAge', '$tb'].filter((name) => name in read);
}

interface Page {
  readonly after: StreamPosition | null;
  readonly limit: number;
  readonly mostMs: number;
}

/** The server sends whole events, so a page may be large. It ends at `limit`, or after its time with at least one place. */
async function placesIn(
  client: EventStoreDBClient,
  asked: Asked,
  { after, limit, mostMs }: Page,
): Promise<EventPlace[]> {
  // A read from a position begins with the event that is there.
  const fromPosition: ReadPosition = after ?? START;
  const maxCount = after ? limit + 1 : limit;
  const reading = client.readAll({ ...asked, fromPosition, maxCount, direction: FORWARDS });
  const places: EventPlace[] = [];
  const until = performance.now() + mostMs;
  try {
    for await (const { event } of reading) {
      if (!event || (after && event.position.commit <= after.commit && event.position.prepare <= after.prepare))
        continue;
      places.push({ stream: event.streamId, revision: Number(event.revision), position: event.position });
      if (performance.now() > until) break;
    }
  } finally {
    void reading.cancel().catch(() => undefined);
    reading.destroy();
  }
  return places;
}

interface Subscribing {
  readonly prefix: string;
  readonly after: StreamPosition | null;
  readonly subscriber: Parameters<Streams['subscribe']>[2];
  readonly signal: AbortSignal;
}

/** The client never resumes a subscription by itself, and it ends the call of the server only when it is asked to. */
async function subscribing(connection: Connection, asked: Asked, { prefix, after, subscriber, signal }: Subscribing) {
  if (signal.aborted) return;
  const filter = streamNameFilter({
    prefixes: [prefix, `$$${prefix}`],
    checkpointInterval,
    checkpointReached: async (_, position) => subscriber.reached(position),
  });
  const { client, subscription } = await connection.call('subscribe', async (used) => ({
    client: used,
    subscription: await confirmed(used.subscribeToAll({ ...asked, fromPosition: after ?? START, filter }), signal),
  }));
  if (subscription === null) return;
  const stop = () => subscription.destroy();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    for await (const { event } of subscription) {
      if (!event) continue;
      const { streamId: stream, revision, position } = event;
      subscriber.event({ stream, revision: Number(revision), position });
      subscriber.reached(position);
    }
    if (!signal.aborted) throw new StreamsUnavailable('EventStoreDB has ended the subscription');
  } catch (error) {
    if (signal.aborted) return;
    // The connection decides what the error may say, and whether the client can still be used.
    throw connection.failure(client, 'follow the streams', error);
  } finally {
    signal.removeEventListener('abort', stop);
    await orLate(endMs, subscription.unsubscribe(), undefined).catch(() => undefined);
    subscription.destroy();
  }
}

/** The same subscription, when the server has confirmed it; null when `signal` was aborted before. */
function confirmed(subscription: AllStreamSubscription, signal: AbortSignal): Promise<AllStreamSubscription | null> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      void subscription.unsubscribe().catch(() => undefined);
      subscription.destroy();
      resolve(null);
    };
    signal.addEventListener('abort', stop);
    subscription.once('confirmation', () => {
      signal.removeEventListener('abort', stop);
      subscription.off('error', reject);
      resolve(subscription);
    });
    subscription.once('error', reject);
  });
}
