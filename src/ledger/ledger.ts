import type { Indexable } from '../../contracts/entries/indexable.js';
import type { Deposit, StoredAnswer } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../database/database.js';
import type { Head, Linked, StoredLink } from './chain.js';

/** The entries of one command, committed together with every other command of the same append or not at all. */
export interface Commit {
  readonly entries: readonly Linked[];
  readonly deposits: readonly Deposit[];
  /** The answer to a repetition of the request. Durable with the entries; there may be one without entries. */
  readonly answer: StoredAnswer | null;
  /**
   * Of new memories that are indexed in the same transaction. Only an engine that commits and applies in one transaction gets them. They
   * are no part of the ledger: applied without them, a memory is indexed by its job.
   */
  readonly indexables?: readonly Indexable[];
}

export const linkedOf = (commits: readonly Commit[]): readonly Linked[] => commits.flatMap(({ entries }) => entries);

/** This call of `append` has written nothing and will write nothing. The cause is what went wrong. */
export class NotAppended extends Error {
  override name = 'NotAppended';
}

/**
 * The log of the engine does not continue this chain, or removes its entries: it takes no appends until an operator has repaired that.
 * The message says what is wrong. As the cause of NotAppended it says that nothing was written. By itself it says that the outcome of an
 * earlier call stays unknown until then; the engine ends that doubt, and the caller need not repeat the call.
 */
export class ChainHalted extends Error {
  override name = 'ChainHalted';
}

export type Appended =
  | { readonly outcome: 'appended' }
  | { readonly outcome: 'conflict'; readonly head: Head }
  /**
   * It is too late for the times of these entries. They are not in the chain, and this call will not write them.
   * `settledMs` is there when the ledger is settled up to that time (see `SettledTimes`): a new time must be later.
   */
  | { readonly outcome: 'late'; readonly settledMs?: number };

/** The outcome of an append to several chains. What ends elsewhere than expected is not named. */
export type AppendedInQueue = Exclude<Appended, { outcome: 'conflict' }> | { readonly outcome: 'conflict' };

/** Whether entries have waited for their append until they need a new time. */
export type IsLate = () => boolean;

/** Commits for the end of a chain. */
export interface ChainAppend {
  readonly chain: string;
  readonly expected: Head;
  readonly commits: readonly Commit[];
}

/** An append that was decided on the state of its chain. */
export interface DecidedAppend extends ChainAppend {
  readonly isLate: IsLate;
}

/** The queues that an append enters: those of these chains, where it waits, or those of them in which no one else is. */
export type Entering = { readonly waitFor: readonly string[] } | { readonly ifFree: readonly string[] };

export type DecideInQueue = (
  tx: Transaction,
  entered: Promise<ReadonlySet<string>>,
) => Promise<readonly DecidedAppend[]>;

/** Chains that have grown; `unknown` when any chain may have. */
export type Growth = ReadonlySet<string> | 'unknown';

/**
 * Append-only chains, one per workspace, held by an engine. Engines differ, these duties do not: positions are
 * (chain, seq), dense from 1, and an entry once read is never read differently.
 *
 * The tables `chains` and `entries` are the first read model of the ledger, filled by `apply`, and every reader of the
 * service reads them. The database engine commits and applies in one transaction. An engine elsewhere writes the commits
 * to the database first (stage), commits the entries to its own log, applies them, and then removes the staged row; it
 * recovers by applying what its log holds and the tables do not.
 */
export interface Ledger {
  /**
   * Starts a chain, durable when it resolves. A chain that exists stays as it was begun, with its first genesis and
   * its first tag key, and processes may begin the same chain at the same time. An error leaves a chain without entries
   * or no chain; the caller begins it again.
   * @param tagKey 32 random bytes under which the chain has its tag in the public log. The engine keeps them with the
   *   genesis, because the tag must stay the same when the tables are built again from the engine's log.
   */
  begin(chain: string, genesis: Uint8Array, tagKey: Uint8Array): Promise<void>;

  /**
   * Appends the commits in their order behind `expected`, all or none. When it resolves they are durable and applied: a
   * read in any process on the same store sees them.
   * `conflict` says that another append came first and nothing was written. After NotAppended of a
   * first call the commits may be decided again. After any other error the outcome is unknown: the caller repeats the
   * call with the same commits until one ends without an error or with ChainHalted, before it appends anything else to the chain. A
   * repetition finds what an earlier call has written by the hashes of its entries, and writes nothing twice.
   * Calls for one chain may run at the same time, in one process or in several; one of them wins.
   * `late` says the same of entries whose time is too old: figures are computed up to a moment shortly before now, and
   * would miss an entry that appears behind that moment. An entry with a settled time is late for every caller, unless
   * an earlier call has committed it.
   * Commits are bounded in number and size by the caller, except those of one command, which are never split. An entry
   * larger than `maxEntryBytes` is refused.
   * @param isLate asked as the last step before the commit, except of entries that an earlier call has committed
   */
  append(chain: string, expected: Head, commits: readonly Commit[], isLate?: IsLate): Promise<Appended>;

  /**
   * Enters the queues of chains, and appends what `decide` then makes of their ends, in the same transaction: all of it or nothing. Those
   * who queue have no conflicts among each other. The outcomes are those of `append`, and so is what follows from an error:
   * after any but NotAppended the caller repeats what was decided with `append`, chain by chain.
   *
   * Only an engine whose log is in the database of the service has this. Elsewhere a writer reads the state, appends behind its head,
   * and decides again after a conflict.
   * @param decide is called before the queues are entered, so that its first statements are sent with the one that enters, and gets the
   *   chains that were. It reads in the transaction, and waits for nothing else: other writers wait for it. A chain to which nothing is
   *   appended has no part in what it returns
   */
  readonly appendInQueue?: (entering: Entering, decide: DecideInQueue) => Promise<AppendedInQueue>;

  /** Up to `limit` entries after `afterSeq`, in order, as the engine itself holds them: for recovery, checks and copies. */
  read(chain: string, afterSeq: number, limit: number): Promise<StoredLink[]>;

  /**
   * Yields when followers should look for new entries, until `signal` is aborted: `unknown` at first and at intervals of
   * a bounded length, and between them the chains to which this process has appended, as soon as they have grown. Growth
   * that comes while the consumer works is collected for its next step. A notification may be lost, and one of another
   * process need not come at all: the follower then finds the entries with the next `unknown`, so the cost of a lost
   * notification is one interval of delay. Entries are never lost, because a follower reads from its own position.
   */
  follow(signal: AbortSignal): AsyncIterable<Growth>;
}

/** The largest entry of canonical bytes that any engine takes. */
export const maxEntryBytes = 512 * 1024;

export class EntryTooLarge extends NotAppended {
  override name = 'EntryTooLarge';
}

/** @throws EntryTooLarge */
export function requireEntrySizes(commits: readonly Pick<Commit, 'entries'>[]): void {
  for (const { entry, bytes } of commits.flatMap(({ entries }) => entries)) {
    if (bytes.length <= maxEntryBytes) continue;
    throw new EntryTooLarge(`a ${entry.kind} entry of ${bytes.length} bytes is larger than ${maxEntryBytes}`);
  }
}
