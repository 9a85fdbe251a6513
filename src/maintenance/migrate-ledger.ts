import { project } from '../../projections/all.js';
import type { Database, Transaction } from '../database/database.js';
import { countEntries, holdAppends } from '../ledger/entries.js';
import { catchUp, catchUpAfter, ForkedStream, resolvePending } from '../ledger/eventstore/catch-up.js';
import { type ChainRow, type ComparedParts, chainRowsAfter, streamFault } from '../ledger/eventstore/compare.js';
import { copyChain } from '../ledger/eventstore/copy.js';
import { resumeAll } from '../ledger/eventstore/halts.js';
import { readHome, writeHome } from '../ledger/eventstore/home.js';
import { dropAllPending } from '../ledger/eventstore/pending.js';
import { clearPosition, writePosition } from '../ledger/eventstore/position.js';
import { removalFault } from '../ledger/eventstore/removal.js';
import type { OnLabelledProgress } from './fsck.js';

/** The ledger cannot be moved. The message says why, and what to do; the engine that holds the ledger is as before. */
export class CannotMigrateLedger extends Error {
  override name = 'CannotMigrateLedger';
}

interface LedgerMove extends ComparedParts {
  readonly onProgress: OnLabelledProgress;
}

const chainsPerPage = 1000;

/**
 * Copies every chain into its stream, reads all of them back and compares them, and then makes the streams the ledger of this
 * store. It may be interrupted at any point and repeated: the last step alone changes which engine holds the ledger. When
 * streams hold the ledger already, it moves to other ones, or to the same ones after these were restored to an older state.
 * @throws CannotMigrateLedger
 */
export async function moveToStreams(move: LedgerMove): Promise<string> {
  const { database, streams, prefix, onProgress } = move;
  const home = await database.read(readHome);
  if (home?.prefix === prefix) await applyAll(move);
  const total = await database.read(countEntries);
  let there = 0;
  let copied = 0;
  const onEntries = (count: number): void => {
    there += count;
    onProgress('copy', there, Math.max(total, there));
  };
  const chains = await eachChain(database, async (row) => {
    copied += await copyChain(move, row, onEntries);
  });
  const end = await streams.end();
  await requireEqual(move, total);
  await database.transaction(async (tx) => {
    await requireSame(tx, chains);
    await writeHome(tx, { prefix });
    await clearPosition(tx);
    await resumeAll(tx);
    if (end) await writePosition(tx, end);
  });
  if (home?.prefix === prefix && copied === 0)
    return 'EventStoreDB holds the ledger already, with every entry of the database.';
  return [
    `${there} entries of ${chains.size} chains are in EventStoreDB, which holds the ledger from now on. ${copied} were copied now.`,
    'Start the service with EVENTSTORE_URL. A start without it stops.',
  ].join('\n');
}

/**
 * Applies what the streams hold, compares them with the tables, and then makes the database the ledger of this store. The
 * streams stay as they are.
 * @throws CannotMigrateLedger
 */
export async function moveToDatabase(move: LedgerMove): Promise<string> {
  const { database, prefix } = move;
  const home = await database.read(readHome);
  if (!home) return 'The database holds the ledger already.';
  if (home.prefix !== prefix) {
    throw new CannotMigrateLedger(
      `EventStoreDB holds the ledger under the prefix ${home.prefix}. Set EVENTSTORE_PREFIX=${home.prefix}.`,
    );
  }
  await applyAll(move);
  const total = await database.read(countEntries);
  const chains = await requireEqual(move, total);
  await database.transaction(async (tx) => {
    await requireSame(tx, chains);
    // They were not in the streams when these were read to their ends, and nothing is appended there any more.
    await dropAllPending(tx);
    await writeHome(tx, null);
    await clearPosition(tx);
    await resumeAll(tx);
  });
  return [
    `The database holds the ledger from now on: ${total} entries of ${chains.size} chains.`,
    'Start the service without EVENTSTORE_URL. The streams were not changed; no service may append to them.',
  ].join('\n');
}

/** Brings the tables up to date with the streams, and finds out what became of every staged append. */
async function applyAll({ database, streams, prefix, onProgress }: LedgerMove): Promise<void> {
  const parts = { database, streams, prefix, project };
  let applied = 0;
  const count = (entries: number): void => {
    applied += entries;
    onProgress('catch up', applied, applied);
  };
  try {
    // From the start: a position that is remembered may be one of another cluster.
    await catchUpAfter(parts, null, async (chain) => {
      const removal = await removalFault(streams, prefix, chain);
      if (removal !== null) throw new CannotMigrateLedger(`${removal} The engine was not changed.`);
      count((await catchUp(parts, chain)).applied);
    });
    await eachChain(database, async ({ chain }) => {
      await resolvePending(parts, chain);
    });
  } catch (error) {
    if (!(error instanceof ForkedStream)) throw error;
    throw new CannotMigrateLedger(`The streams are not those of this store: ${error.message}.`, { cause: error });
  }
}

/** @returns the heads of all chains, by their ids */
async function eachChain(
  database: Database,
  work: (row: ChainRow) => Promise<void>,
): Promise<ReadonlyMap<string, string>> {
  const heads = new Map<string, string>();
  for (let after: string | null = null; ; ) {
    const page: ChainRow[] = await database.read((tx) => chainRowsAfter(tx, after, chainsPerPage));
    for (const row of page) {
      await work(row);
      heads.set(row.chain, headOf(row));
    }
    after = page.at(-1)?.chain ?? null;
    if (after === null) return heads;
  }
}

const headOf = ({ head_seq, head_hash }: ChainRow): string => `${head_seq} ${head_hash}`;

/** Compares every chain with its stream. @throws CannotMigrateLedger with the first difference */
function requireEqual(move: LedgerMove, total: number): Promise<ReadonlyMap<string, string>> {
  let compared = 0;
  const onEntries = (count: number): void => {
    compared += count;
    move.onProgress('verify', compared, Math.max(total, compared));
  };
  return eachChain(move.database, async (row) => {
    const fault = await streamFault(move, row, { isLast: true, onEntries });
    if (fault !== null) throw new CannotMigrateLedger(`${fault} The engine was not changed.`);
  });
}

/** Appends wait from here on. @throws CannotMigrateLedger when a chain has grown or was begun since its head was noted */
async function requireSame(tx: Transaction, heads: ReadonlyMap<string, string>): Promise<void> {
  await holdAppends(tx);
  let found = 0;
  for (let after: string | null = null; ; ) {
    const page: ChainRow[] = await chainRowsAfter(tx, after, chainsPerPage);
    for (const row of page) {
      found += 1;
      if (heads.get(row.chain) === headOf(row)) continue;
      throw new CannotMigrateLedger('A service has written to the store meanwhile. Stop it, and repeat the command.');
    }
    after = page.at(-1)?.chain ?? null;
    if (after === null) break;
  }
  if (found !== heads.size) throw new CannotMigrateLedger('A chain is gone. Run: counterfoil fsck');
}
