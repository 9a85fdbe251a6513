import { type Fired, firedAfter, firedSince, newestPosition } from '../../../projections/terminal/firings.js';
import type { World } from '../../base/world.js';
import type { Transaction } from '../../database/database.js';
import type { OpenStreams, Stream } from './open-streams.js';

interface Parts {
  readonly world: Pick<World, 'now'>;
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  readonly streams: Pick<OpenStreams, 'all' | 'write'>;
}

/** Sends firings to the streams of their people, each once. */
export interface StreamFirings {
  /** Sends a new stream what has fired in the last minutes, so that one who was just reconnecting misses nothing. */
  begin(stream: Stream): Promise<void>;
  /** Sends all streams what has fired since the last look. */
  look(): Promise<void>;
}

const recentMs = 5 * 60_000;
const recentMost = 1000;
const page = 1000;

export function createStreamFirings({ world, read, streams }: Parts): StreamFirings {
  let cursor = 0;
  // Reads follow each other. So what one of them sees was recorded before all that the next one sees in addition, and a stream
  // that begins between two of them gets every firing once.
  let reading: Promise<unknown> = Promise.resolve();
  const inOrder = (work: () => Promise<void>): Promise<void> => {
    const next = reading.then(work);
    reading = next.catch(() => undefined);
    return next;
  };

  function send(stream: Stream, fired: readonly Fired[]): void {
    for (const { position, person_id: personId, record } of fired) {
      if (position <= stream.position || personId !== stream.person?.personId) continue;
      stream.position = position;
      streams.write(stream, `event: alert\ndata: ${record}\n\n`);
    }
  }

  async function sendNew(): Promise<void> {
    const readers = [...streams.all()].filter(({ person }) => person !== null);
    const people = [...new Set(readers.map(({ person }) => person?.personId ?? ''))];
    if (people.length === 0) return;
    const { newest, fired } = await read(async (tx) => ({
      newest: await newestPosition(tx),
      fired: await firedAfter(tx, cursor, people, page),
    }));
    for (const stream of readers) send(stream, fired);
    const isMore = fired.length === page;
    cursor = isMore ? (fired[page - 1]?.position ?? newest) : Math.max(newest, cursor);
    if (isMore) await sendNew();
  }

  return {
    begin(stream) {
      return inOrder(async () => {
        const { person } = stream;
        if (person === null) return;
        const since = new Date(world.now().getTime() - recentMs);
        const { newest, recent } = await read(async (tx) => ({
          newest: await newestPosition(tx),
          recent: await firedSince(tx, person.personId, since, recentMost),
        }));
        send(stream, recent);
        stream.position = Math.max(newest, stream.position);
        const isOnly = [...streams.all()].every((other) => other === stream || other.person === null);
        if (isOnly) cursor = newest;
      });
    },
    look: () => inOrder(sendNew),
  };
}
