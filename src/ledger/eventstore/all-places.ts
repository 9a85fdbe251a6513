import { isBehind } from './position.js';
import { type EventPlace, type StreamPosition, type Streams, StreamsUnavailable } from './streams.js';

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
