import { streamOf } from './events.js';
import { StreamDeleted, type Streams } from './streams.js';

/** The advice for a stream that has lost entries permanently. */
const moveElsewhere =
  'move the ledger to streams with another EVENTSTORE_PREFIX, with counterfoil migrate-ledger --to eventstore';

/**
 * Whether a stream loses entries, or has lost its beginning.
 * @returns the fault as a sentence, or null
 * @throws StreamsUnavailable
 */
export async function removalFault(
  streams: Pick<Streams, 'removingSettings' | 'read'>,
  prefix: string,
  chain: string,
): Promise<string | null> {
  const name = streamOf(prefix, chain);
  try {
    const [settings, [first]] = await Promise.all([streams.removingSettings(name), streams.read(name, 0, 1)]);
    if (settings.length > 0) {
      return `The stream ${name} has the setting ${settings.join(', ')}, with which EventStoreDB removes entries: remove that setting from the metadata of the stream.`;
    }
    if (!first || first.revision === 0) return null;
    return `The stream ${name} has lost its beginning, for its first event is number ${first.revision}: ${moveElsewhere}.`;
  } catch (error) {
    if (!(error instanceof StreamDeleted)) throw error;
    return `The stream ${name} was deleted permanently (it has a tombstone): ${moveElsewhere}.`;
  }
}
