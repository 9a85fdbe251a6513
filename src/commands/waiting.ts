import { outcomeUnknown, Refusal } from '../../contracts/errors.js';
import type { Steps } from '../base/steps.js';
import { ClockInDoubt } from '../base/world.js';
import { isRefusedByStore } from '../database/database.js';
import { recordedOf } from '../ledger/apply.js';
import { type Head, linking } from '../ledger/chain.js';
import { ChainHalted, type Commit, requireEntrySizes } from '../ledger/ledger.js';
import type { Command } from './command.js';
import { patienceMs } from './lost-race.js';
import { evolve, type Reads, type WorkspaceState } from './state/state.js';

/** A command of a caller who waits for its answer. */
export interface Waiting {
  readonly reads: Reads;
  /** Decides and links behind `head`; returns the commit to append and a way to answer the caller once that is done. */
  attempt(state: WorkspaceState, head: Head, recordedAt: string): Steps<{ commit: Commit; settle: () => void }>;
  /** The commit of the last attempt is not in the chain and never will be. */
  notAppended(): void;
  /** The next attempts leave new memories to their jobs. */
  indexLater(): void;
  /** Whether the caller still has no answer. What has been refused must not be appended afterwards. */
  isWaiting(): boolean;
  reject(error: unknown): void;
  /** The store failed. */
  fail(error: unknown): void;
}

/** The caller learns no more: the operator finds the fault in `/readyz` and in the log. */
const halted = 'The ledger of this workspace takes no writes until its operator has repaired it. Nothing was written.';

/**
 * How many bytes of entries, deposits and answers are appended together at most. Every engine takes as much in one
 * append, with room for what it adds to each entry. A command that needs more is appended alone.
 */
const batchBytes = 768 * 1024;

/**
 * How many bytes of texts are indexed in one append at most, unless one command has more. The embedded database makes other requests
 * wait for the transaction: 32 KiB take it 30 to 50 ms.
 */
const indexedBytes = 32 * 1024;

/** Puts a command in line: exactly one of `resolve` and `reject` is called, within the time that callers wait. */
export function waitingFor<A>(
  workspaceId: string,
  command: Command<A>,
  resolve: (answer: A) => void,
  reject: (error: unknown) => void,
): Waiting {
  let waiting = true;
  let inDoubt = false;
  let indexing: 'now' | 'later' = 'now';
  let unrecorded: Refusal['code'] = 'receipt_unavailable';
  const end = (answer: () => void) => {
    if (!waiting) return;
    waiting = false;
    clearTimeout(timer);
    answer();
  };
  const refuse = (error: unknown) => end(() => reject(error));
  const unavailable = (cause: unknown) =>
    refuse(new Refusal(unrecorded, inDoubt ? outcomeUnknown : undefined, {}, { cause }));
  const timer = setTimeout(() => {
    unavailable(new Error(`the store has not taken the append within ${patienceMs / 1000} s`));
  }, patienceMs);
  return {
    reads: command.reads,
    *attempt(state, head, recordedAt) {
      const decision = command.decide(state, recordedAt, head, indexing);
      const { drafts, deposits, indexables = [] } = decision;
      // The patience of the caller may end between two steps, and the entries are appended all the same.
      inDoubt = true;
      const entries = yield* linking(
        workspaceId,
        head,
        drafts.map((draft) => ({ ...draft, recorded_at: recordedAt, actor: command.actor })),
      );
      requireEntrySizes([{ entries }]);
      const commit = { entries, deposits, indexables };
      unrecorded = 'unrecorded' in decision ? decision.unrecorded : 'receipt_unavailable';
      if ('refusal' in decision) {
        return { commit: { ...commit, answer: null }, settle: () => refuse(decision.refusal) };
      }
      const given = decision.answer(entries);
      const answer = decision.keep?.(given, entries) ?? null;
      return { commit: { ...commit, answer }, settle: () => end(() => resolve(given)) };
    },
    notAppended() {
      inDoubt = false;
    },
    indexLater() {
      indexing = 'later';
    },
    isWaiting: () => waiting,
    reject: refuse,
    fail(cause) {
      if (cause instanceof Refusal || isRefusedByStore(cause) || cause instanceof ClockInDoubt) refuse(cause);
      else if (cause instanceof ChainHalted && !inDoubt) refuse(new Refusal('not_ready', halted, {}, { cause }));
      else unavailable(cause);
    },
  };
}

/** The commits of a batch, what answers their callers, and the commands that did not fit the append. */
interface Decided {
  readonly commits: readonly Commit[];
  readonly settlements: readonly (() => void)[];
  readonly end: Head;
  readonly left: readonly Waiting[];
}

/** The contents of an append so far. */
export interface Filling {
  commits: number;
  bytes: number;
  /** Bytes of texts that are indexed with it. */
  indexed: number;
}

export const emptyAppend = (): Filling => ({ commits: 0, bytes: 0, indexed: 0 });

/**
 * Decides a batch in order, each command on the state that those before it leave behind.
 * @param filling of the append, to which batches of other chains may belong too
 */
export function* decideAll(
  batch: readonly Waiting[],
  loaded: WorkspaceState,
  head: Head,
  recordedAt: string,
  filling: Filling = emptyAppend(),
): Steps<Decided> {
  let state = loaded;
  let end = head;
  const commits: Commit[] = [];
  const settlements: (() => void)[] = [];
  for (const [at, waiting] of batch.entries()) {
    // While those before it were decided, it may have been refused.
    if (!waiting.isWaiting()) continue;
    try {
      const { commit, settle } = yield* waiting.attempt(state, end, recordedAt);
      if (!fill(filling, commit)) {
        waiting.notAppended();
        return { commits, settlements, end, left: batch.slice(at) };
      }
      ({ state, end } = after(state, end, commit));
      if (commit.entries.length > 0 || commit.answer) commits.push(commit);
      settlements.push(settle);
    } catch (error) {
      settlements.push(() => waiting.reject(error));
    }
  }
  return { commits, settlements, end, left: [] };
}

/** @returns whether there was room for the commit. The first one of an append has room, however large it is. */
function fill(filling: Filling, commit: Commit): boolean {
  filling.bytes += sizeOf(commit);
  if (commit.indexables?.length) filling.indexed += textsOf(commit);
  if ((filling.bytes > batchBytes || filling.indexed > indexedBytes) && filling.commits > 0) return false;
  if (commit.entries.length > 0 || commit.answer) filling.commits += 1;
  return true;
}

/** State and end of the chain as a commit leaves them. */
function after(before: WorkspaceState, head: Head, { entries, deposits, indexables, answer }: Commit) {
  const state = entries.length === 0 ? before : evolve(before, recordedOf(entries, deposits, indexables));
  const last = entries.at(-1);
  const end = last ? { seq: last.entry.seq, hash: last.hash, recordedAt: last.entry.recorded_at } : head;
  if (!answer) return { state, end };
  return { state: { ...state, answers: new Map(state.answers).set(answer.requestKey, answer) }, end };
}

/** Of texts their length, which is their bytes as long as they are in English, and a third of them at worst. */
function sizeOf(commit: Commit): number {
  const { entries, answer } = commit;
  return entries.reduce((sum, { bytes }) => sum + bytes.length, textsOf(commit) + (answer?.body.length ?? 0));
}

function textsOf({ deposits }: Commit): number {
  const texts = deposits.flatMap((deposit) => Object.values(deposit.texts));
  return texts.reduce((sum, text) => sum + text.length, 0);
}
