import type { Database, Transaction } from '../../database/database.js';
import { type EventPlace, PositionRefused, type StreamPosition, type Streams, StreamsUnavailable } from './streams.js';

/** Up to where the events of all streams were applied; null before the first. */
export async function readPosition(tx: Transaction): Promise<StreamPosition | null> {
  const [row] = await tx.query<{ commit_position: string; prepare_position: string }>(
    'select commit_position::text, prepare_position::text from stream_position',
  );
  return row ? { commit: BigInt(row.commit_position), prepare: BigInt(row.prepare_position) } : null;
}

/**
 * The position from which the streams will be followed. One that the server does not have is forgotten: then the streams were
 * restored, and everything is followed from the start; what is applied already is passed over. One beyond the end is forgotten too,
 * or nothing would come until that is passed.
 */
export async function knownPosition(
  database: Database,
  streams: Pick<Streams, 'end' | 'placesAfter'>,
): Promise<StreamPosition | null> {
  const position = await database.read(readPosition);
  if (!position) return null;
  const end = await streams.end();
  if (end && !isBehind(end, position)) {
    try {
      await streams.placesAfter(position, 1);
      return position;
    } catch (error) {
      if (!(error instanceof PositionRefused)) throw error;
    }
  }
  await database.transaction(clearPosition);
  return null;
}

/** Moves the position forwards. */
export async function writePosition(tx: Transaction, { commit, prepare }: StreamPosition): Promise<void> {
  await tx.query(
    `insert into stream_position as p (commit_position, prepare_position) values ($1::numeric, $2::numeric)
     on conflict (only_row) do update set commit_position = excluded.commit_position, prepare_position = excluded.prepare_position
      where (p.commit_position, p.prepare_position) < (excluded.commit_position, excluded.prepare_position)`,
    [String(commit), String(prepare)],
  );
}

const isBehind = (a: StreamPosition, b: StreamPosition): boolean =>
  a.commit < b.commit || (a.commit === b.commit && a.prepare < b.prepare);

/** Forgets the position: the ledger is no longer in these streams, or in other ones. */
export async function clearPosition(tx: Transaction): Promise<void> {
  await tx.query('delete from stream_position');
}

const pagePlaces = 4096;

/**
 * Pages of the places of all events after a position, up to the end that the streams have now, and a little beyond it.
 * @throws StreamsUnavailable when the events end before that
 */
export async function* allPlaces(
  streams: Pick<Streams, 'end' | 'placesAfter'>,
  after: StreamPosition | null,
): AsyncGenerator<readonly EventPlace[]> {
  const end = await streams.end();
  for (let position = after; ; ) {
    const places = await streams.placesAfter(position, pagePlaces);
    const last = places.at(-1);
    if (!last) {
      if (!end || (position && !isBehind(position, end))) return;
      throw new StreamsUnavailable('EventStoreDB has ended a read of all streams before their end');
    }
    yield places;
    position = last.position;
  }
}
