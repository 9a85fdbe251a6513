import { Refusal } from '../../contracts/errors.js';
import { StoreFull } from '../adapters/database/database.js';
import { evolve, type Wants, type WorkspaceState } from '../domain/state.js';
import { type Head, link } from '../ledger/chain.js';
import type { Commit } from '../ledger/ledger.js';
import type { Command } from './run.js';

/** A command of a caller who waits for its answer. */
export interface Waiting {
  readonly wants: Wants;
  /** Decides and links behind `head`; returns what to append and a way to tell the caller that it is done. */
  attempt(state: WorkspaceState, head: Head, recordedAt: string): { commit: Commit; settle: () => void };
  /** Whether the caller still has no answer. What has been refused must not be appended afterwards. */
  isWaiting(): boolean;
  reject(error: unknown): void;
  /** The store failed. */
  fail(error: unknown): void;
}

/** So long a caller waits at most; a store that is away for longer is then told of, and the caller decides what to do. */
const patienceMs = 20_000;

const inDoubt =
  'The write could not be recorded in time, and whether it was recorded is not known yet. Send it again with the same Idempotency-Key.';

/** Puts a command in line: exactly one of `resolve` and `reject` is called, within the time that callers wait. */
export function waitingFor<A>(
  workspaceId: string,
  commandId: string,
  command: Command<A>,
  resolve: (answer: A) => void,
  reject: (error: unknown) => void,
): Waiting {
  let waiting = true;
  let attempted = false;
  let unrecorded: Refusal['code'] = 'receipt_unavailable';
  const end = (tell: () => void) => {
    if (!waiting) return;
    waiting = false;
    clearTimeout(timer);
    tell();
  };
  const refuse = (error: unknown) => end(() => reject(error));
  const timer = setTimeout(() => {
    const cause = new Error(`the store has not taken the append within ${patienceMs / 1000} s`);
    refuse(new Refusal(unrecorded, attempted ? inDoubt : undefined, {}, { cause }));
  }, patienceMs);
  return {
    wants: command.wants,
    attempt(state, head, recordedAt) {
      const decision = command.decide(state, recordedAt, head);
      attempted = true;
      const { drafts, deposits } = decision;
      const entries = link(workspaceId, head, drafts);
      const commit = { commandId, entries, deposits };
      unrecorded = 'unrecorded' in decision ? decision.unrecorded : 'receipt_unavailable';
      if ('refusal' in decision) {
        return { commit: { ...commit, answer: null }, settle: () => refuse(decision.refusal) };
      }
      const given = decision.answer(entries);
      const answer = decision.keep?.(given, entries) ?? null;
      return { commit: { ...commit, answer }, settle: () => end(() => resolve(given)) };
    },
    isWaiting: () => waiting,
    reject: refuse,
    fail(cause) {
      const known = cause instanceof Refusal || cause instanceof StoreFull;
      refuse(known ? cause : new Refusal(unrecorded, undefined, {}, { cause }));
    },
  };
}

/** Decides a batch in order, each command on the state the ones before it leave behind. */
export function decideAll(batch: readonly Waiting[], loaded: WorkspaceState, head: Head, recordedAt: string) {
  let state = loaded;
  let end = head;
  const commits: Commit[] = [];
  const settlements: (() => void)[] = [];
  for (const waiting of batch) {
    try {
      const { commit, settle } = waiting.attempt(state, end, recordedAt);
      const deposits = new Map(commit.deposits.map((deposit) => [deposit.receiptId, deposit]));
      for (const { entry, hash } of commit.entries) {
        state = evolve(state, { entry, hash, deposit: deposits.get(entry.receipt_id) ?? null });
        end = { seq: entry.seq, hash, recordedAt: entry.recorded_at };
      }
      const { answer } = commit;
      if (answer) state = { ...state, answers: new Map(state.answers).set(answer.requestKey, answer) };
      if (commit.entries.length > 0 || answer) commits.push(commit);
      settlements.push(settle);
    } catch (error) {
      settlements.push(() => waiting.reject(error));
    }
  }
  return { commits, settlements, end };
}
