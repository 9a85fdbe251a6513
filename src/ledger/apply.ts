import { erasedBy } from '../../contracts/entries/catalogue.js';
import type { Indexable } from '../../contracts/entries/indexable.js';
import type { Deposit, Recorded } from '../../contracts/entries/recorded.js';
import { bytea, inserting, text } from '../database/columns.js';
import type { Database, Transaction } from '../database/database.js';
import { forgetAnswers, storeAnswers } from './answers.js';
import type { Head, Linked } from './chain.js';
import { vaultColumns } from './deposits.js';
import { hasEntry, insertEntries, lockHead, moveHeads, partsOf } from './entries.js';
import { noteErased } from './erased.js';
import {
  type Appended,
  type AppendedInQueue,
  type ChainAppend,
  type Commit,
  type DecideInQueue,
  type Entering,
  type IsLate,
  linkedOf,
} from './ledger.js';
import { enterQueues } from './queue.js';
import { holdSettled, isSettled } from './settled.js';

/** Changes read models and jobs by entries, inside the transaction that makes the entries readable. */
export type Project = (tx: Transaction, recorded: readonly Recorded[]) => Promise<void>;

/** A chain does not end where its commits begin. */
export class OutOfPlace extends Error {
  override name = 'OutOfPlace';
}

/**
 * Makes commits readable behind the ends of their chains: moves the heads, writes entries, deposits, stored answers, read
 * models and jobs, and destroys what the entries erase. It follows from the commits and the tables alone, without clock
 * and randomness, so an engine that has committed elsewhere recovers by the same code. What a caller chose is checked
 * before the append: nothing of it may make this fail.
 * The rows of the chains are locked first, so what is applied to one chain at the same time happens one after the other.
 * @param appends one for each chain
 * @returns the time up to which the ledger is settled
 * @throws OutOfPlace when a chain ends elsewhere. After any error the transaction must be rolled back: statements are
 *   sent before it is known that the head has moved, which saves waiting.
 */
export async function apply(tx: Transaction, project: Project, appends: readonly ChainAppend[]): Promise<number> {
  const commits = appends.flatMap((append) => append.commits);
  const linked = linkedOf(commits);
  const deposits = commits.flatMap((commit) => commit.deposits);
  const indexables = commits.flatMap((commit) => commit.indexables ?? []);
  const moved = moveHeads(
    tx,
    appends.map(({ chain, expected, commits }) => ({
      chain,
      from: expected,
      to: endOf(linkedOf(commits)) ?? expected,
    })),
  );
  const written = Promise.all([
    insertEntries(tx, appends),
    insertDeposits(tx, deposits),
    storeAnswers(tx, appends.flatMap(answersOf)),
    project(tx, recordedOf(linked, deposits, indexables)),
  ]);
  written.catch(() => undefined);
  const settledMs = await moved;
  if (settledMs === null) throw new OutOfPlace(`${appends.map(placeOf).join(' or ')} is not an end any more`);
  await written;
  for (const { chain, commits } of appends) {
    await erase(tx, chain, [...new Set(linkedOf(commits).flatMap(({ entry }) => erasedBy(entry)))]);
  }
  return settledMs;
}

const answersOf = ({ chain, commits }: ChainAppend) =>
  commits.flatMap(({ answer }) => (answer ? { ...answer, chain } : []));

const placeOf = ({ chain, expected }: ChainAppend): string => `entry ${expected.seq} of chain ${chain}`;

class Late extends Error {
  override name = 'Late';
  constructor(readonly settledMs?: number) {
    super();
  }
}

/** How the engine commits whose transaction this is. */
interface BeforeCommit {
  readonly isLate?: IsLate | undefined;
  /** Whether this transaction commits the entries. Otherwise they are committed elsewhere, and are never late. */
  readonly commits?: boolean;
  /** The work of the engine in the same transaction. */
  besides?(tx: Transaction): Promise<void>;
  /** Called before the first step whose failure leaves the outcome unknown. */
  inDoubt?(): void;
}

/**
 * Applies commits in a transaction of their own. Doing it a second time is harmless: the place and the hash of the last
 * entry show that they are there. `conflict` says that they are not, and where the chain ends.
 */
export async function applyOnce(
  database: Database,
  project: Project,
  chain: string,
  expected: Head,
  commits: readonly Commit[],
  { inDoubt = () => undefined, isLate = () => false, commits: isCommit = false, besides }: BeforeCommit = {},
): Promise<Appended> {
  try {
    await database.transaction(async (tx) => {
      // Sent with the statements after it, which fail with it.
      if (isCommit) holdSettled(tx).catch(() => undefined);
      const settledMs = await apply(tx, project, [{ chain, expected, commits }]);
      if (isCommit && isSettled(commits, settledMs)) throw new Late(settledMs);
      await besides?.(tx);
      if (isLate()) throw new Late();
      inDoubt();
    });
    return { outcome: 'appended' };
  } catch (error) {
    // The transaction that held the row of the chain before has ended, so an earlier try will not commit these entries either.
    if (error instanceof Late) return lateBy(error);
    if (!(error instanceof OutOfPlace)) throw error;
    inDoubt();
    return database.transaction((tx) => findApplied(tx, chain, commits));
  }
}

/** Ends a transaction in which nothing is written: a commit would be written to the disk. */
class NothingToWrite extends Error {
  override name = 'NothingToWrite';
}

/**
 * Decides and applies in one transaction, behind those who came to the queues of the chains before.
 * @param inDoubt called before the first step whose failure leaves the outcome unknown
 */
export async function applyInQueue(
  database: Database,
  project: Project,
  entering: Entering,
  decide: DecideInQueue,
  inDoubt: () => void,
): Promise<AppendedInQueue> {
  try {
    await database.transaction(async (tx) => {
      const entered = enterQueues(tx, entering);
      // The statements of `decide` are sent with it, and fail with it.
      entered.catch(() => undefined);
      const appends = await decide(tx, entered);
      if (appends.length === 0) throw new NothingToWrite();
      const settledMs = await apply(tx, project, appends);
      if (appends.some(({ commits }) => isSettled(commits, settledMs))) throw new Late(settledMs);
      if (appends.some(({ isLate }) => isLate())) throw new Late();
      inDoubt();
    });
    return { outcome: 'appended' };
  } catch (error) {
    if (error instanceof NothingToWrite) return { outcome: 'appended' };
    if (error instanceof Late) return lateBy(error);
    if (error instanceof OutOfPlace) return { outcome: 'conflict' };
    throw error;
  }
}

const lateBy = ({ settledMs }: Late): Extract<Appended, { outcome: 'late' }> =>
  settledMs === undefined ? { outcome: 'late' } : { outcome: 'late', settledMs };

/** The head is locked before the look at the entries: an earlier try has by then either committed, or never will. */
async function findApplied(tx: Transaction, chain: string, commits: readonly Commit[]): Promise<Appended> {
  const head = await lockHead(tx, chain);
  const end = endOf(linkedOf(commits));
  return end && (await hasEntry(tx, chain, end)) ? { outcome: 'appended' } : { outcome: 'conflict', head };
}

function endOf(linked: readonly Linked[]): Head | undefined {
  const last = linked.at(-1);
  return last && { seq: last.entry.seq, hash: last.hash };
}

/** Entries with their deposits, as read models and commands see them. */
export function recordedOf(
  linked: readonly Linked[],
  deposits: readonly Deposit[],
  indexables: readonly Indexable[] = [],
): Recorded[] {
  const byReceipt = new Map(deposits.map((deposit) => [deposit.receiptId, deposit]));
  const indexed = new Map(indexables.map((indexable) => [indexable.receiptId, indexable]));
  return linked.map(({ entry, hash }) => {
    const { receipt_id: id } = entry;
    return { entry, hash, deposit: byReceipt.get(id) ?? null, indexable: indexed.get(id) };
  });
}

interface NewDeposit extends ReturnType<typeof vaultColumns> {
  readonly receiptId: string;
}

const insertIntoVault = inserting<NewDeposit>('vault', [
  text('receipt_id', ({ receiptId }) => receiptId),
  bytea('salt', ({ salt }) => salt),
  text('content', ({ content }) => content),
  text('metadata', ({ metadata }) => metadata),
  text('source', ({ source }) => source),
  text('label', ({ label }) => label),
  text('others', ({ others }) => others ?? null),
]);

async function insertDeposits(tx: Transaction, deposits: readonly Deposit[]): Promise<void> {
  for (const part of partsOf(deposits, lengthOf)) {
    await insertIntoVault(
      tx,
      part.map((deposit) => ({ receiptId: deposit.receiptId, ...vaultColumns(deposit) })),
    );
  }
}

function lengthOf({ texts }: Deposit): number {
  return Object.values(texts).reduce((sum, text) => sum + text.length, 0);
}

/** Destroys the deposits of these receipts, and what stored answers show of them. */
async function erase(tx: Transaction, chain: string, receiptIds: readonly string[]): Promise<void> {
  if (receiptIds.length === 0) return;
  await Promise.all([
    tx.query('delete from vault where receipt_id = any((select $1::text[])::text[])', [receiptIds]),
    forgetAnswers(tx, chain, receiptIds),
    noteErased(tx, receiptIds),
  ]);
}
