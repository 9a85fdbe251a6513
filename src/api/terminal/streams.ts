import type { Readable } from 'node:stream';
import { Refusal } from '../../../contracts/errors.js';
import { liveSessions } from '../../../projections/account/sessions.js';
import type { World } from '../../base/world.js';
import type { Transaction } from '../../database/database.js';
import type { PersonSession } from '../session/sessions.js';
import { commentMs, createOpenStreams, type OpenStreams, type Stream } from './open-streams.js';
import { createStreamFirings } from './stream-firings.js';

/** The streams of the terminal that are open in this process. */
export interface Streams {
  /**
   * @param person null where no one is signed in: there are no alerts then
   * @param network of the client, see `clientOf`
   * @throws Refusal too_many_streams, not_ready
   */
  open(person: PersonSession | null, network: string): Promise<Readable>;
  count(): number;
  /** Ends all streams. No stream is opened after that. */
  close(): void;
}

export interface StreamParts {
  readonly world: Pick<World, 'now'>;
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** The newest feeds, with their moment as RFC 3339; null before the first ones. */
  readonly market: { readonly newest: { readonly asOf: string } | null };
  warn(error: unknown): void;
}

/** How often this looks for what is new, while anybody listens. */
const lookMs = 1000;

export function createStreams(parts: StreamParts): Streams {
  const looking = every(lookMs, look, parts.warn);
  const streams = createOpenStreams((count) => (count > 0 ? looking.start() : looking.stop()));
  const firings = createStreamFirings({ ...parts, streams });
  let isClosed = false;

  function sendMoment(stream: Stream): void {
    const asOf = parts.market.newest?.asOf;
    if (asOf === undefined || asOf === stream.asOf) return;
    stream.asOf = asOf;
    streams.write(stream, `event: terminal\ndata: ${JSON.stringify({ as_of: asOf })}\n\n`);
  }

  async function look(): Promise<void> {
    const now = performance.now();
    for (const stream of streams.all()) {
      sendMoment(stream);
      if (now < stream.commentAt) continue;
      stream.commentAt = now + commentMs;
      streams.write(stream, ':\n\n');
    }
    await endSignedOut(parts, streams);
    await firings.look();
  }

  return {
    async open(person, network) {
      if (isClosed) throw new Refusal('not_ready');
      const stream = streams.begin(person, network);
      try {
        // The first bytes, so that the client has an answer at once. It reconnects after 5 seconds.
        streams.write(stream, 'retry: 5000\n\n');
        sendMoment(stream);
        await firings.begin(stream);
      } catch (error) {
        streams.drop(stream);
        throw error;
      }
      return stream.readable;
    },
    count: streams.count,
    close() {
      isClosed = true;
      for (const stream of [...streams.all()]) streams.end(stream);
    },
  };
}

/** A session may have been ended in any process, by its person or with the membership. */
async function endSignedOut({ read, world }: StreamParts, streams: OpenStreams): Promise<void> {
  const signedIn = [...streams.all()].flatMap((stream) => (stream.person ? [{ stream, id: stream.person.id }] : []));
  if (signedIn.length === 0) return;
  const live = new Set(await read((tx) => liveSessions(tx, [...new Set(signedIn.map(({ id }) => id))], world.now())));
  for (const { stream, id } of signedIn) if (!live.has(id)) streams.end(stream);
}

/** Repeats work between `start` and `stop`, never twice at the same time. */
function every(ms: number, work: () => Promise<void>, warn: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let isWorking = false;
  const once = () => {
    if (isWorking) return;
    isWorking = true;
    work()
      .catch(warn)
      .finally(() => {
        isWorking = false;
      });
  };
  return {
    start() {
      timer ??= setInterval(once, ms);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
