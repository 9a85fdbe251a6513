import { Readable } from 'node:stream';
import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { liveSessions } from '../../../projections/account/sessions.js';
import { type Fired, firedAfter, firedSince, newestPosition } from '../../../projections/terminal/firings.js';
import type { Transaction } from '../../adapters/database/database.js';
import type { World } from '../../world.js';
import type { PersonSession } from '../session/sessions.js';

/** The streams of the terminal that are open in this process. */
export interface Streams {
  /** @param person null for nobody, who gets no alerts. @throws Refusal too_many_streams, not_ready */
  open(person: PersonSession | null): Promise<Readable>;
  count(): number;
  /** Looks for what is new, and tells the readers. Runs every second while there are any. */
  look(): Promise<void>;
  /** Ends all streams. No stream is opened after that. */
  close(): void;
}

export interface StreamParts {
  readonly world: Pick<World, 'now'>;
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** The moment of the newest feeds as RFC 3339; null before the first ones. */
  asOf(): string | null;
  warn(error: unknown): void;
}

/** Alerts that fired within this time are sent on connecting, so that one who was just reconnecting misses none. */
const recentMs = 5 * 60_000;
const recentMost = 1000;
const lookMs = 1000;
const commentMs = 15_000;
/** Bytes that wait for a reader. One who does not read that much is too slow, and is dropped. */
const waitingBytes = 64 * 1024;
const page = 1000;
const retrySeconds = 15;

interface Stream {
  readonly readable: Readable;
  readonly person: PersonSession | null;
  /** Firings up to this position were sent, or are older than the stream. */
  position: number;
  asOf: string | null;
  /** The time of the next comment, on the clock of the machine, which never goes back. */
  commentAt: number;
}

export function createStreams(parts: StreamParts): Streams {
  const open = new Set<Stream>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let cursor = 0;
  // Reads of firings follow each other: a stream that is opened then sees every firing exactly once.
  let reading: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = reading.then(work);
    reading = turn.catch(() => undefined);
    return turn;
  };

  function drop(stream: Stream): void {
    if (!open.delete(stream)) return;
    stream.readable.destroy();
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function end(stream: Stream): void {
    stream.readable.push(null);
    if (!open.delete(stream) || open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function write(stream: Stream, text: string): void {
    stream.readable.push(text);
    if (stream.readable.readableLength > waitingBytes) drop(stream);
  }

  function tellMoment(stream: Stream): void {
    const asOf = parts.asOf();
    if (asOf === null || asOf === stream.asOf) return;
    stream.asOf = asOf;
    write(stream, event('terminal', JSON.stringify({ as_of: asOf })));
  }

  function tellFirings(stream: Stream, firings: readonly Fired[]): void {
    for (const { position, person_id: personId, record } of firings) {
      if (position <= stream.position || personId !== stream.person?.personId) continue;
      stream.position = position;
      write(stream, event('alert', record));
    }
  }

  async function lookForFirings(): Promise<void> {
    const people = [...new Set([...open].flatMap(({ person }) => person?.personId ?? []))];
    if (people.length === 0) return;
    const { fired, newest } = await parts.read(async (tx) => ({
      newest: await newestPosition(tx),
      fired: await firedAfter(tx, cursor, people, page),
    }));
    for (const stream of open) tellFirings(stream, fired);
    const last = fired[fired.length - 1];
    cursor = fired.length === page && last ? last.position : Math.max(newest, cursor);
    if (fired.length === page) await lookForFirings();
  }

  /** A session may have been ended in any process, by its person or with the membership. */
  async function lookForEnded(): Promise<void> {
    const signedIn = [...open].flatMap((stream) => (stream.person ? [{ stream, id: stream.person.id }] : []));
    if (signedIn.length === 0) return;
    const ids = [...new Set(signedIn.map(({ id }) => id))];
    const live = new Set(await parts.read((tx) => liveSessions(tx, ids, parts.world.now())));
    for (const { stream, id } of signedIn) if (!live.has(id)) end(stream);
  }

  async function look(): Promise<void> {
    const now = performance.now();
    for (const stream of open) {
      tellMoment(stream);
      if (now < stream.commentAt) continue;
      stream.commentAt = now + commentMs;
      write(stream, ':\n\n');
    }
    await inTurn(async () => {
      await lookForEnded();
      await lookForFirings();
    });
  }

  function begin(person: PersonSession | null): Stream {
    const readable = new Readable({ read: () => undefined });
    const stream: Stream = { readable, person, position: 0, asOf: null, commentAt: performance.now() + commentMs };
    open.add(stream);
    readable.once('close', () => drop(stream));
    let isLooking = false;
    timer ??= setInterval(() => {
      if (isLooking) return;
      isLooking = true;
      look()
        .catch(parts.warn)
        .finally(() => {
          isLooking = false;
        });
    }, lookMs);
    return stream;
  }

  return {
    async open(person) {
      if (isClosed) throw new Refusal('not_ready');
      requireRoom(open, person);
      const stream = begin(person);
      try {
        await inTurn(async () => {
          write(stream, 'retry: 5000\n\n');
          tellMoment(stream);
          if (person === null) return;
          const since = new Date(parts.world.now().getTime() - recentMs);
          const { newest, recent } = await parts.read(async (tx) => ({
            newest: await newestPosition(tx),
            recent: await firedSince(tx, person.personId, since, recentMost),
          }));
          tellFirings(stream, recent);
          stream.position = Math.max(newest, stream.position);
          if (signedInOf(open) === 1) cursor = newest;
        });
      } catch (error) {
        drop(stream);
        throw error;
      }
      return stream.readable;
    },
    count: () => open.size,
    look,
    close() {
      isClosed = true;
      for (const stream of open) end(stream);
    },
  };
}

const signedInOf = (open: ReadonlySet<Stream>): number => [...open].filter(({ person }) => person !== null).length;

function requireRoom(open: ReadonlySet<Stream>, person: PersonSession | null): void {
  const own = person ? [...open].filter((one) => one.person?.personId === person.personId).length : 0;
  if (own < limits.streamsPerPerson && open.size < limits.streams) return;
  const sentence =
    own >= limits.streamsPerPerson
      ? `You have ${own} open streams already. Close one first.`
      : 'Too many streams are open. Try again later.';
  throw new Refusal('too_many_streams', sentence, { retry_after_seconds: retrySeconds });
}

/** One event as the specification of server-sent events writes it. JSON has no line breaks. */
const event = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`;
