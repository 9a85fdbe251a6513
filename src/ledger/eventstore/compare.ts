import type { Database, Row, Transaction } from '../../database/database.js';
import { entryHash, follow, genesisHead, type Head } from '../chain.js';
import { eventId, genesisOf, streamOf } from './events.js';
import { removalFault } from './removal.js';
import type { StreamEvent, Streams } from './streams.js';

/** A chain as the tables have it. */
export interface ChainRow extends Row {
  chain: string;
  genesis: Uint8Array;
  tag_key: Uint8Array;
  head_seq: number;
  head_hash: string;
}

export interface ComparedParts {
  readonly database: Database;
  readonly streams: Streams;
  readonly prefix: string;
}

const pageEvents = 500;

/** Chains after `after` in the order of their ids. */
export function chainRowsAfter(tx: Transaction, after: string | null, limit: number): Promise<ChainRow[]> {
  return tx.query<ChainRow>(
    `select chain::text, genesis, tag_key, head_seq, encode(head_hash, 'hex') as head_hash from chains
      where $1::uuid is null or chain > $1::uuid order by chain limit $2`,
    [after, limit],
  );
}

/**
 * Compares a chain in the tables with its stream, event by event, up to the head in `row`: genesis, tag key, places, ids, bytes
 * and the chain of hashes.
 * @param isLast whether the stream may not continue behind the head
 * @returns the first fault as a sentence, or null
 */
export async function streamFault(
  parts: ComparedParts,
  row: ChainRow,
  { isLast, onEntries }: { readonly isLast: boolean; readonly onEntries: (count: number) => void },
): Promise<string | null> {
  const name = streamOf(parts.prefix, row.chain);
  const removal = await removalFault(parts.streams, parts.prefix, row.chain);
  if (removal !== null) return removal;
  const [first] = await parts.streams.read(name, 0, 1);
  if (!first) return `The stream ${name} of workspace ${row.chain} is missing.`;
  const begun = genesisFault(name, row, first);
  if (begun !== null) return begun;
  let at: Head = genesisHead(row.genesis);
  while (at.seq < row.head_seq) {
    const events = await parts.streams.read(name, at.seq + 1, Math.min(pageEvents, row.head_seq - at.seq));
    if (events.length === 0) {
      return `The stream ${name} ends at entry ${at.seq} of workspace ${row.chain}, and the table entries continues to entry ${row.head_seq}.`;
    }
    const next = await pageFault(parts.database, name, row.chain, at, events);
    if (typeof next === 'string') return next;
    onEntries(next.seq - at.seq);
    at = next;
  }
  if (at.hash !== row.head_hash) {
    return `The head of workspace ${row.chain} in the table chains is not the hash of entry ${at.seq} in the stream ${name}.`;
  }
  // That the stream ends here is seen from its last event: that nothing more could be read would be no proof.
  const end = isLast ? ((await parts.streams.last(name))?.revision ?? 0) : row.head_seq;
  if (end === row.head_seq) return null;
  const how = end > row.head_seq ? `continues behind entry ${row.head_seq}` : `ends before entry ${row.head_seq}`;
  return `The stream ${name} ${how}, where workspace ${row.chain} ends.`;
}

function genesisFault(name: string, row: ChainRow, first: StreamEvent): string | null {
  try {
    const { genesis, tagKey } = genesisOf(first);
    if (Buffer.compare(genesis, row.genesis) !== 0) {
      return `The stream ${name} begins with another genesis than workspace ${row.chain} in the table chains.`;
    }
    if (Buffer.compare(tagKey, row.tag_key) === 0) return null;
    return `The stream ${name} has another tag key than workspace ${row.chain} in the table chains.`;
  } catch {
    return `The stream ${name} does not begin with the genesis of a chain.`;
  }
}

/** Compares events with the rows at their places. @returns where they end, or the first fault */
async function pageFault(
  database: Database,
  name: string,
  chain: string,
  from: Head,
  events: readonly StreamEvent[],
): Promise<Head | string> {
  const rows = await database.read((tx) =>
    tx.query<{ seq: number; bytes: Uint8Array }>(
      'select seq, bytes from entries where chain = $1 and seq > $2 and seq <= $3 order by seq',
      [chain, from.seq, from.seq + events.length],
    ),
  );
  const bytesAt = new Map(rows.map(({ seq, bytes }) => [seq, bytes]));
  let at = from;
  for (const { revision, id, data } of events) {
    const hash = entryHash(data);
    const where = `entry ${at.seq + 1} of workspace ${chain}`;
    const next = follow(chain, at, { seq: revision, bytes: data, hash });
    if (typeof next === 'string') return `In the stream ${name}, ${next}.`;
    if (id !== eventId(hash)) return `In the stream ${name}, the event of ${where} has an id that is not of its bytes.`;
    const held = bytesAt.get(next.seq);
    if (held === undefined) return `The stream ${name} has ${where}, and the table entries has not.`;
    if (Buffer.compare(held, data) !== 0)
      return `The stream ${name} has other bytes for ${where} than the table entries.`;
    at = next;
  }
  return at;
}
