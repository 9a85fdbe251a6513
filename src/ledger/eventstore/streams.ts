import { StoreUnavailable } from '../../database/database.js';

/** A place in the order of all streams of a server. */
export interface StreamPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

export interface NewEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  /** An object of JSON. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface StreamEvent {
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  /** As it was stored: an object where it was JSON. */
  readonly metadata: unknown;
}

/** Where an event is. */
export interface EventPlace {
  readonly stream: string;
  readonly revision: number;
  readonly position: StreamPosition;
}

export interface Subscriber {
  event(place: EventPlace): void;
  /** Every event up to here that the subscriber wants was given to it. */
  reached(position: StreamPosition): void;
}

/** The server does not answer, or it refuses what the service asks. Whether an append has happened is unknown. */
export class StreamsUnavailable extends StoreUnavailable {
  override name = 'StreamsUnavailable';
}

/** The server refuses the credentials or the rights of the service. */
export class StreamsRefused extends StreamsUnavailable {
  override name = 'StreamsRefused';
}

/** The server does not have a position of all streams, because these were restored from another state. */
export class PositionRefused extends StreamsUnavailable {
  override name = 'PositionRefused';
}

/** The stream has a tombstone: it was deleted permanently. Nothing can be read from it, and nothing was or will be appended. */
export class StreamDeleted extends StreamsUnavailable {
  override name = 'StreamDeleted';
}

/** The server takes no append of this size. Nothing was appended. */
export class AppendTooLarge extends Error {
  override name = 'AppendTooLarge';
}

/**
 * Streams of events on a server. Every method throws StreamsUnavailable when the server does not answer in time; reads come from
 * its leader.
 */
export interface Streams {
  /**
   * Appends all events or none behind the revision `expected`; null means that there must be no stream yet.
   * The server compares ids only: events whose ids already follow that revision count as appended, with any content and
   * with any events after them.
   * @throws AppendTooLarge
   */
  append(stream: string, expected: number | null, events: readonly NewEvent[]): Promise<'appended' | 'wrong revision'>;
  /**
   * Events from a revision on, in order: up to `limit`, or fewer where they are large. None at or behind the end of the stream, and of a
   * stream that does not exist.
   */
  read(stream: string, from: number, limit: number): Promise<StreamEvent[]>;
  /** The last event of a stream; null when there is none. */
  last(stream: string): Promise<StreamEvent | null>;
  /** The names of the settings of a stream that remove its events: `$maxCount`, `$maxAge`, `$tb`. */
  removingSettings(stream: string): Promise<string[]>;
  /** The last position of all streams; null while there are no events. */
  end(): Promise<StreamPosition | null>;
  /** Up to `limit` places of events after a position, of streams of any name. @throws PositionRefused */
  placesAfter(after: StreamPosition | null, limit: number): Promise<EventPlace[]>;
  /**
   * Follows the streams whose names begin with a prefix, and their settings, which are streams too: `$$` before the name. Resolves when
   * `signal` is aborted; any other end is an error. After a position beyond the end nothing comes.
   * @throws PositionRefused
   */
  subscribe(prefix: string, after: StreamPosition | null, subscriber: Subscriber, signal: AbortSignal): Promise<void>;
  /** Whether the last call was answered. */
  isUp(): boolean;
  /** How often the connection was lost. What answers after that may be another server, or older streams. */
  losses(): number;
  close(): Promise<void>;
}
