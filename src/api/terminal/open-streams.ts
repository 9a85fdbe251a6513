import { Readable } from 'node:stream';
import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { PersonSession } from '../session/sessions.js';

/** One reader of events. */
export interface Stream {
  readonly readable: Readable;
  /** Null where no one is signed in: there are no alerts then. */
  readonly person: PersonSession | null;
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
  begin(person: PersonSession | null): Stream;
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
    begin(person) {
      requireRoom(open, person);
      const readable = new Readable({ read: () => undefined });
      const stream: Stream = { readable, person, position: 0, asOf: null, commentAt: performance.now() + commentMs };
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

function requireRoom(open: ReadonlySet<Stream>, person: PersonSession | null): void {
  const own = person ? [...open].filter((one) => one.person?.personId === person.personId).length : 0;
  if (own < limits.streamsPerPerson && open.size < limits.streams) return;
  const sentence =
    own >= limits.streamsPerPerson
      ? `You have ${own} open streams already. Close one first.`
      : 'Too many streams are open. Try again later.';
  throw new Refusal('too_many_streams', sentence, { retry_after_seconds: retrySeconds });
}
