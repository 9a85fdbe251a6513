import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import grpc from '@grpc/grpc-js';
import { refusal } from './errors.js';
import type { Node } from './node.js';
import type { Store } from './store.js';

/** A place in `$all`, or the revision of a stream as both numbers. An event of `$all` has one number for both. */
export interface Position {
  readonly commit: number;
  readonly prepare: number;
}

/** Whether an event at this place is at a position or after it. */
export const isAt = (place: number, { commit, prepare }: Position): boolean =>
  place > commit || (place === commit && place >= prepare);

const start: Position = { commit: 0, prepare: 0 };
const end: Position = { commit: Number.POSITIVE_INFINITY, prepare: Number.POSITIVE_INFINITY };

/**
 * A server refuses a position of `$all` at which nothing begins, such as one of a log that was replaced by an older copy. It
 * takes one beyond its end, where a read finds nothing, and a subscription waits without a word.
 */
export function requirePlace(store: Store, options: ReadReq.Options): void {
  const position = options.getAll()?.getPosition();
  if (!position || store.isPlace(Number(position.getCommitPosition()))) return;
  if (options.hasSubscription())
    throw refusal(grpc.status.INVALID_ARGUMENT, 'Trying to read from an invalid position.');
  throw refusal(grpc.status.UNKNOWN, 'Exception was thrown by handler. Unexpected ReadAllResult: InvalidPosition');
}

/** The first place that a read shows; backwards the last one. */
export function inclusiveStart(options: ReadReq.Options): Position {
  const stream = options.getStream();
  const position = options.getAll()?.getPosition();
  if (stream?.hasRevision()) return { commit: Number(stream.getRevision()), prepare: Number(stream.getRevision()) };
  if (position) return { commit: Number(position.getCommitPosition()), prepare: Number(position.getPreparePosition()) };
  return stream?.hasEnd() || options.getAll()?.hasEnd() ? end : start;
}

/** The place from which a subscription shows events: what it names is what the client has seen already. */
export function exclusiveStart(node: Node, options: ReadReq.Options, stream: string | null): Position {
  const isStart = options.getStream()?.hasStart() || options.getAll()?.hasStart();
  if (isStart) return start;
  const from = inclusiveStart(options);
  if (from !== end) return { commit: from.commit, prepare: stream === null ? from.prepare + 1 : end.prepare };
  const events = stream === null ? node.store.all : node.store.read(stream, node.seen());
  const last = events === 'deleted' ? undefined : events?.at(-1);
  if (!last) return start;
  return { commit: stream === null ? last.position : last.revision, prepare: end.prepare };
}
