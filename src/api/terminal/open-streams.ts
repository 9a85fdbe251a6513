import { Readable } from 'node:stream';
import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { PersonSession } from '../session/sessions.js';

/** One reader of events. */
export interface Stream {
  readonly readable: Readable;
  /** Null where no one is signed in: there are no alerts then. */
  readonly person: PersonSession | null;
  /** The network of the client, by which streams are counted that are of no person. */
  readonly network: string;
  /** Firings up to this position were sent, or are older than the stream. */
  position: number;
  /** The moment that was sent last. */
  asOf: string | null;
  /** The time of the next comment, on the clock of the machine, which never goes back. */
  commentAt: number;
}

export interface OpenStreams {
  all(): Iterable<Stream>;
  count(): number;
  /** @throws Refusal too_many_streams */
  begin(person: PersonSession | null, network: string): Stream;
  write(stream: Stream, text: string): void;
  /** Ends it after what was written; a reader that does not take that is disconnected. */
  end(stream: Stream): void;
  /** Disconnects its reader. */
  drop(stream: Stream): void;
}

export const commentMs = 15_000;
/** Bytes that wait for a reader. One who does not read that much is too slow, and is disconnected. */
const waitingBytes = 64 * 1024;
const endMs = 1000;
const retrySeconds = 15;

/** @param changed called when a stream was added or is gone */
export function createOpenStreams(changed: (count: number) => void): OpenStreams {
  const open = new Set<Stream>();
  function remove(stream: Stream): void {
    if (open.delete(stream)) changed(open.size);
  }
  function drop(stream: Stream): void {
    remove(stream);
    stream.readable.destroy();
  }
  return {
    all: () => open,
    count: () => open.size,
    begin(person, network) {
      requireRoom(open, person, network);
      const readable = new Readable({ read: () => undefined });
      const commentAt = performance.now() + commentMs;
      const stream: Stream = { readable, person, network, position: 0, asOf: null, commentAt };
      readable.once('close', () => remove(stream));
      open.add(stream);
      changed(open.size);
      return stream;
    },
    write(stream, text) {
      if (!open.has(stream)) return;
      stream.readable.push(text);
      if (stream.readable.readableLength > waitingBytes) drop(stream);
    },
    end(stream) {
      if (!open.has(stream)) return;
      remove(stream);
      stream.readable.push(null);
      setTimeout(() => stream.readable.destroy(), endMs).unref();
    },
    drop,
  };
}

/** Streams of people have places of their own, which no one can take who is not signed in. */
function requireRoom(open: ReadonlySet<Stream>, person: PersonSession | null, network: string): void {
  const unsigned = [...open].filter((one) => one.person === null);
  const own = person
    ? [...open].filter((one) => one.person?.personId === person.personId).length
    : unsigned.filter((one) => one.network === network).length;
  const mostOwn = person ? limits.streamsPerPerson : limits.streamsPerAddress;
  if (own >= mostOwn) {
    const whose = person ? 'You have' : 'Your address has';
    throw tooMany(`${whose} ${own} open streams already. Close one first${person ? '' : ', or sign in'}.`);
  }
  const isFull = person === null && unsigned.length >= limits.streams - limits.streamsForPeople;
  if (isFull || open.size >= limits.streams) throw tooMany('Too many streams are open. Try again later.');
}

const tooMany = (sentence: string) => new Refusal('too_many_streams', sentence, { retry_after_seconds: retrySeconds });
