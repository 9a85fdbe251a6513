import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import grpc from '@grpc/grpc-js';
import { deletedError, deniedError, nameOf, notLeaderError, refusal } from './errors.js';
import { checkpointEvery, type Filter, filterOf } from './filter.js';
import type { Node, ReadFault } from './node.js';
import { exclusiveStart, inclusiveStart, isAt, type Position, requirePlace } from './positions.js';
import { positionAfter, type Recorded, tombstone } from './store.js';

type Call = grpc.ServerWritableStream<ReadReq, ReadResp>;

/** `Read`: a part of a stream or of `$all`, once or as a subscription. */
export function read(node: Node, call: Call): void {
  serve(node, call).catch((error: unknown) => call.emit('error', error));
}

async function serve(node: Node, call: Call): Promise<void> {
  const refused = node.refuse(call);
  if (refused) throw refused;
  const options = call.request.getOptions();
  if (!options) return void call.end();
  const named = options.getStream();
  const stream = named ? nameOf(named.getStreamIdentifier()) : null;
  const isSubscription = options.hasSubscription();
  const fault = node.faults().onRead?.({ stream, isSubscription });
  if (fault === 'hang') return;
  if (fault === 'drop') return node.drop(call);
  if (fault === 'not-leader') throw notLeaderError(node.leader());
  if (fault === 'denied') throw deniedError();
  requirePlace(node.store, options);
  if (fault !== undefined) return breakOff(node, call, stream, fault);
  if (isSubscription) return subscribe(node, call, options, stream);
  await readOnce(node, call, options, stream);
  call.end();
}

/** Sends the first event, and then ends the call as a server does that is shut down, or as a network does that is cut. */
async function breakOff(node: Node, call: Call, stream: string | null, fault: ReadFault): Promise<void> {
  const events = stream === null ? allOf(node) : node.store.read(stream, node.seen());
  const [first] = events === 'deleted' || events === null ? [] : events;
  if (first) await send(call, eventMessage(first));
  if (fault === 'some-then-cancel') throw refusal(grpc.status.CANCELLED, 'The server is shutting down.');
  setImmediate(() => node.drop(call));
}

async function readOnce(node: Node, call: Call, options: ReadReq.Options, stream: string | null): Promise<void> {
  const events = stream === null ? allOf(node) : node.store.read(stream, node.seen());
  if (events === 'deleted') throw deletedError(stream ?? '');
  if (events === null) return void call.write(notFound(stream ?? ''));
  const isBackwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
  const from = inclusiveStart(options);
  const matches = filterOf(options);
  let left = Number(options.getCount());
  for (const event of isBackwards ? backwards(events) : events) {
    if (left === 0 || call.cancelled) return;
    const place = stream === null ? event.position : event.revision;
    if (isBackwards ? place > from.commit : !isAt(place, from)) continue;
    if (!matches(event)) continue;
    left -= 1;
    await send(call, eventMessage(event));
  }
}

async function subscribe(node: Node, call: Call, options: ReadReq.Options, stream: string | null): Promise<void> {
  const next = nextOf(node, options, stream);
  const matches = filterOf(options);
  const every = checkpointEvery(options);
  const confirmation = new streams.ReadResp.SubscriptionConfirmation();
  confirmation.setSubscriptionId(randomUUID());
  const confirmed = new streams.ReadResp();
  confirmed.setConfirmation(confirmation);
  await send(call, confirmed);

  let wake = () => undefined as undefined;
  const stop = node.store.listen(() => wake());
  call.on('cancelled', () => wake());
  call.on('close', () => wake());
  node.stopping.addEventListener('abort', () => wake());
  const grown = () =>
    new Promise<void>((resolve) => {
      wake = () => void resolve();
    });
  try {
    await follow({ call, next, matches, every, grown, stopping: node.stopping });
  } finally {
    stop();
  }
  // A server that is asked to end ends its subscriptions without an error.
  if (node.stopping.aborted) call.end();
}

interface Following {
  readonly call: Call;
  /** The next events of the stream or of `$all`; none while there are no more. */
  next(): readonly Recorded[] | 'deleted';
  readonly matches: Filter;
  /** After how many events a checkpoint is sent, of those that match and those that do not. */
  readonly every: number;
  grown(): Promise<void>;
  readonly stopping: AbortSignal;
}

async function follow({ call, next, matches, every, grown, stopping }: Following): Promise<void> {
  let considered = 0;
  let isLive = false;
  while (!isGone(call) && !stopping.aborted) {
    const waiting = grown();
    const events = next();
    if (events === 'deleted') throw deletedError('');
    for (const event of events) {
      if (isGone(call)) return;
      considered += 1;
      if (matches(event)) await send(call, eventMessage(event));
      if (considered % every === 0) await send(call, checkpointMessage(event));
    }
    if (events.length > 0) continue;
    if (!isLive) {
      isLive = true;
      const caughtUp = new streams.ReadResp();
      caughtUp.setCaughtUp(new streams.ReadResp.CaughtUp());
      await send(call, caughtUp);
    }
    await waiting;
  }
}

const page = 500;

/** @returns a function that gives the events after what a subscription names, page by page */
function nextOf(node: Node, options: ReadReq.Options, stream: string | null): () => readonly Recorded[] | 'deleted' {
  let after: Position = exclusiveStart(node, options, stream);
  return () => {
    const events = stream === null ? node.store.all : node.store.read(stream, node.seen());
    if (events === 'deleted') return 'deleted';
    const placeOf = (event: Recorded) => (stream === null ? event.position : event.revision);
    const from = firstIndex(events ?? [], (event) => isAt(placeOf(event), after));
    const part = (events ?? []).slice(from, from + page).filter(({ position }) => position <= node.seen());
    const last = part.at(-1);
    if (last) after = { commit: placeOf(last), prepare: Number.POSITIVE_INFINITY };
    return part;
  };
}

/** The index of the first event for which this holds, when it holds for all that follow it. */
function firstIndex(events: readonly Recorded[], holds: (event: Recorded) => boolean): number {
  let [from, to] = [0, events.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const event = events[middle];
    if (event && holds(event)) to = middle;
    else from = middle + 1;
  }
  return from;
}

const allOf = (node: Node): readonly Recorded[] => node.store.all.filter(({ position }) => position <= node.seen());

function* backwards(events: readonly Recorded[]): Generator<Recorded> {
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index];
    if (event) yield event;
  }
}

const isGone = (call: Call): boolean => call.cancelled || call.destroyed;

async function send(call: Call, message: ReadResp): Promise<void> {
  if (isGone(call) || call.write(message)) return;
  const ended = new AbortController();
  const { signal } = ended;
  const events = ['drain', 'cancelled', 'close'].map((name) => once(call, name, { signal }));
  await Promise.race(events).catch(() => undefined);
  // The listeners of those that did not happen are removed.
  ended.abort();
  await Promise.allSettled(events);
}

/** The greatest number that the server counts to. */
const revisionOfTombstone = '9223372036854775807';

function eventMessage(event: Recorded): ReadResp {
  const id = new shared.UUID();
  id.setString(event.id);
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(event.stream));
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(id);
  recorded.setStreamIdentifier(identifier);
  recorded.setStreamRevision(event.type === tombstone ? revisionOfTombstone : String(event.revision));
  recorded.setCommitPosition(String(event.position));
  recorded.setPreparePosition(String(event.position));
  recorded.getMetadataMap().set('type', event.type);
  recorded.getMetadataMap().set('content-type', event.contentType);
  recorded.getMetadataMap().set('created', String(event.createdMs * 10_000));
  recorded.setData(event.data);
  recorded.setCustomMetadata(event.customMetadata);
  const read = new streams.ReadResp.ReadEvent();
  read.setEvent(recorded);
  read.setCommitPosition(String(event.position));
  const message = new streams.ReadResp();
  message.setEvent(read);
  return message;
}

/** A checkpoint stands where the record after the event begins, before anything that is written there: its prepare position is 0. */
function checkpointMessage(event: Recorded): ReadResp {
  const checkpoint = new streams.ReadResp.Checkpoint();
  checkpoint.setCommitPosition(String(positionAfter(event)));
  checkpoint.setPreparePosition('0');
  const message = new streams.ReadResp();
  message.setCheckpoint(checkpoint);
  return message;
}

function notFound(stream: string): ReadResp {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  const missing = new streams.ReadResp.StreamNotFound();
  missing.setStreamIdentifier(identifier);
  const message = new streams.ReadResp();
  message.setStreamNotFound(missing);
  return message;
}
