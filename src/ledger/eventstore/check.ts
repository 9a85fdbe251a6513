import { setTimeout as sleep } from 'node:timers/promises';
import type { OnFault } from '../../base/faults.js';
import type { Transaction } from '../../database/database.js';
import { findHead } from './catch-up.js';
import { type ChainRow, type ComparedParts, chainRowsAfter, streamFault } from './compare.js';
import { chainOf, streamOf } from './events.js';
import { unresolved } from './pending.js';
import { allPlaces } from './position.js';

/** How long a service has for applying what was appended before the tables count as behind, in milliseconds. */
const patienceMs = 10_000;
/** An append is staged for milliseconds. One that is in the tables and is still staged after this was not removed. */
const stagedSeconds = 60;
const chainsPerPage = 1000;
/** How many streams of unknown chains are named. */
const namedStreams = 100;

interface StreamsCheck extends ComparedParts {
  readonly onEntries: (count: number) => void;
  readonly found: OnFault;
  /** How long a service has for applying what was appended, in milliseconds. */
  readonly waitMs?: number;
}

/**
 * Compares all chains of the tables with their streams, and looks for streams of other chains and for staged appends that should be
 * gone. Runs beside writers: a stream may be ahead for a moment. Of each stream the first fault is reported.
 */
export async function checkStreams({ waitMs = patienceMs, ...check }: StreamsCheck): Promise<void> {
  const { database, onEntries, found } = check;
  const report = (fault: string | null) => {
    if (fault !== null) found('streams', fault);
  };
  for (let after: string | null = null; ; ) {
    const page: ChainRow[] = await database.read((tx) => chainRowsAfter(tx, after, chainsPerPage));
    for (const row of page) {
      report((await streamFault(check, row, { isLast: false, onEntries })) ?? (await behindFault(check, row, waitMs)));
    }
    after = page.at(-1)?.chain ?? null;
    if (after === null) break;
  }
  report(await unknownFault(check, waitMs));
  report(await database.read((tx) => unresolved(tx, stagedSeconds)));
}

/** Whether the tables are behind the stream, and stay so. */
async function behindFault(
  { database, streams, prefix }: ComparedParts,
  row: ChainRow,
  waitMs: number,
): Promise<string | null> {
  const name = streamOf(prefix, row.chain);
  const end = (await streams.last(name))?.revision ?? 0;
  const isApplied = async () => ((await database.read((tx) => findHead(tx, row.chain)))?.seq ?? 0) >= end;
  if (await becomes(isApplied, waitMs)) return null;
  return `The stream ${name} continues to entry ${end} of workspace ${row.chain}, which the table entries does not have. Start the service, which applies it.`;
}

/** Streams of chains that the tables do not have, a line for each. A chain that is being begun is in its stream first. */
async function unknownFault({ database, streams, prefix }: ComparedParts, waitMs: number): Promise<string | null> {
  let unknown: readonly string[] = [];
  for await (const places of allPlaces(streams, null)) {
    const begun = places.flatMap(({ stream, revision }) => (revision === 0 ? (chainOf(prefix, stream) ?? []) : []));
    unknown = [...unknown, ...(await database.read((tx) => unknownChains(tx, begun)))].slice(0, namedStreams);
  }
  const areKnown = async () => {
    unknown = await database.read((tx) => unknownChains(tx, unknown));
    return unknown.length === 0;
  };
  if (await becomes(areKnown, waitMs)) return null;
  const sentenceOf = (chain: string) =>
    `The stream ${streamOf(prefix, chain)} is of a chain that the table chains does not have. Stop the service and run counterfoil migrate-ledger --to eventstore, which applies it.`;
  return unknown.map(sentenceOf).join('\n');
}

async function unknownChains(tx: Transaction, chains: readonly string[]): Promise<string[]> {
  if (chains.length === 0) return [];
  const rows = await tx.query<{ chain: string }>(
    'select chain::text from unnest($1::uuid[]) as one (chain) where not exists (select 1 from chains c where c.chain = one.chain)',
    [[...chains]],
  );
  return rows.map(({ chain }) => chain);
}

/** Whether this is so within a time. It is asked once at least. */
async function becomes(isSo: () => Promise<boolean>, waitMs: number): Promise<boolean> {
  for (const until = performance.now() + waitMs; ; await sleep(200)) {
    if (await isSo()) return true;
    if (performance.now() >= until) return false;
  }
}
