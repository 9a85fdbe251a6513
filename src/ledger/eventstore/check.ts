import { setTimeout as sleep } from 'node:timers/promises';
import { findHead } from './catch-up.js';
import { type ChainRow, type ComparedParts, chainRowsAfter, streamFault } from './compare.js';
import { streamOf } from './events.js';
import { unresolved } from './pending.js';

/** How long a service has for applying what was appended before the tables count as behind, in milliseconds. */
const patienceMs = 10_000;
/** An append is staged for milliseconds. One that is in the tables and is still staged after this was not removed. */
const stagedSeconds = 60;
const chainsPerPage = 1000;

/**
 * Compares all chains of the tables with their streams, and looks for staged appends that should be gone. Runs beside writers:
 * a stream may be ahead for a moment.
 * @returns the first fault as a sentence, or null
 */
export async function streamsFault(parts: ComparedParts, onEntries: (count: number) => void): Promise<string | null> {
  for (let after: string | null = null; ; ) {
    const page: ChainRow[] = await parts.database.read((tx) => chainRowsAfter(tx, after, chainsPerPage));
    for (const row of page) {
      const fault = (await streamFault(parts, row, { isLast: false, onEntries })) ?? (await behindFault(parts, row));
      if (fault !== null) return fault;
    }
    after = page.at(-1)?.chain ?? null;
    if (after === null) break;
  }
  return parts.database.read((tx) => unresolved(tx, stagedSeconds));
}

/** Whether the tables are behind the stream, and stay so. */
async function behindFault({ database, streams, prefix }: ComparedParts, row: ChainRow): Promise<string | null> {
  const name = streamOf(prefix, row.chain);
  const end = (await streams.last(name))?.revision ?? 0;
  for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(200)) {
    const head = await database.read((tx) => findHead(tx, row.chain));
    if ((head?.seq ?? 0) >= end) return null;
  }
  return `The stream ${name} continues to entry ${end} of workspace ${row.chain}, which the table entries does not have. Start the service, which applies it.`;
}
