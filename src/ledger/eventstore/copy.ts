import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../../database/database.js';
import { readMembers } from '../canonical-reader.js';
import { entryHash } from '../chain.js';
import type { ChainRow, ComparedParts } from './compare.js';
import { eventId, genesisEvent, streamOf } from './events.js';
import { removalFault } from './removal.js';
import { type NewEvent, StreamsRefused, StreamsUnavailable } from './streams.js';

/** A stream cannot take a chain. The message is a sentence. */
class CannotCopyChain extends Error {
  override name = 'CannotCopyChain';
}

/** The size up to which entries are added to an append: one more of the largest size still fits into 1 MiB. */
const appendBytes = 400 * 1024;
const appendEntries = 500;
const tries = 5;

interface EntryRow extends Row {
  seq: number;
  bytes: Uint8Array;
  hash: string;
}

/** SQL of the entries of chain $1 after number $2, up to number $3, as many as fit into one append. */
const nextEntries = `select seq, bytes, hash from (
   select seq, bytes, encode(hash, 'hex') as hash,
          sum(octet_length(bytes)) over (order by seq) - octet_length(bytes) as before
     from entries where chain = $1 and seq > $2 and seq <= $3) sized
  where before < ${appendBytes} order by seq`;

/**
 * Appends the stored bytes of a chain to its stream, from the place where the stream ends. The stream is the only memory of what
 * was copied, so an interrupted copy continues there.
 * @param onEntries called with the entries that are in the stream, those that were there first
 * @returns how many entries were appended
 * @throws CannotCopyChain when the stream is not a part of this chain
 */
export async function copyChain(
  { database, streams, prefix }: ComparedParts,
  { chain, genesis, tag_key, head_seq }: ChainRow,
  onEntries: (count: number) => void,
): Promise<number> {
  const name = streamOf(prefix, chain);
  const removal = await removalFault(streams, prefix, chain);
  if (removal !== null) throw new CannotCopyChain(removal);
  const append = async (expected: number | null, events: readonly NewEvent[]): Promise<void> => {
    if ((await repeated(() => streams.append(name, expected, events))) === 'appended') return;
    throw new CannotCopyChain(
      `The stream ${name} holds other events than workspace ${chain}. Set another EVENTSTORE_PREFIX.`,
    );
  };
  const last = await streams.last(name);
  if (!last) await append(null, [genesisEvent(genesis, tag_key)]);
  const before = last?.revision ?? 0;
  let at = before;
  if (at > head_seq) {
    throw new CannotCopyChain(
      `The stream ${name} continues behind entry ${head_seq}, where workspace ${chain} ends. Set another EVENTSTORE_PREFIX.`,
    );
  }
  onEntries(at);
  while (at < head_seq) {
    const rows = await database.read((tx) =>
      tx.query<EntryRow>(nextEntries, [chain, at, Math.min(at + appendEntries, head_seq)]),
    );
    const end = rows.at(-1)?.seq;
    if (end === undefined)
      throw new CannotCopyChain(`Entry ${at + 1} of workspace ${chain} is missing. Run: counterfoil fsck`);
    await append(at, rows.map(eventOf));
    onEntries(end - at);
    at = end;
  }
  return at - before;
}

/** The bytes are those of the row. Its kind is read from them, because an event needs a type. */
function eventOf({ bytes, hash }: EntryRow): NewEvent {
  if (entryHash(bytes) !== hash) throw new CannotCopyChain('An entry does not have its hash. Run: counterfoil fsck');
  const kind = readMembers(Buffer.from(bytes).toString('utf8'))?.get('kind') ?? '""';
  return { id: eventId(hash), type: JSON.parse(kind), data: bytes, metadata: {} };
}

/** An append whose outcome is unknown is sent again: with the same ids behind the same revision it is stored once. */
async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isFinal = !(error instanceof StreamsUnavailable) || error instanceof StreamsRefused || attempt === tries;
      if (isFinal) throw error;
      await sleep(200 * attempt);
    }
  }
}
