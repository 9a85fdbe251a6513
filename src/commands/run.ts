import type { Draft } from '../../contracts/entries/entry.js';
import type { Deposit } from '../../contracts/entries/recorded.js';
import { Refusal } from '../../contracts/errors.js';
import { evolve, type Wants, type WorkspaceState } from '../domain/state.js';
import { type Head, type Linked, link } from '../ledger/chain.js';
import type { Commit, Ledger } from '../ledger/ledger.js';
import type { World } from '../world.js';

/** What a command has become: entries to append, what they commit to, and the answer once they are in the chain. */
export interface Decision<A> {
  readonly drafts: readonly Draft[];
  readonly deposits: readonly Deposit[];
  readonly erase: readonly string[];
  answer(receipts: readonly Linked[]): A;
}

/** A request that may write. `decide` is pure: it may run again with a newer state when somebody else wrote first. */
export interface Command<A> {
  readonly wants: Wants;
  /** @throws Refusal when the command may not happen; nothing of it is written then. */
  decide(state: WorkspaceState, recordedAt: string): Decision<A>;
}

/** Runs a command against a workspace's chain and gives its answer once its entries are durable. */
export type Run = <A>(workspaceId: string, command: Command<A>) => Promise<A>;

interface Waiting {
  readonly commandId: string;
  readonly wants: Wants;
  /** Decides and links behind `head`; returns what to append and a way to tell the caller that it is done. */
  attempt(state: WorkspaceState, head: Head, recordedAt: string): { commit: Commit; settle: () => void };
  reject(error: unknown): void;
}

interface Chain {
  head: Head;
  busy: boolean;
  readonly waiting: Waiting[];
}

/** More commands than this in one transaction only make the first of them wait for the last. */
const batchSize = 128;
const gatherMs = 1;
/** Each conflict means that another process got through, so giving up after this many starves nobody for long. */
const maxConflicts = 8;
/** An append whose outcome is unknown is asked for again after these pauses, in milliseconds. */
const unsurePauses = [5, 50, 250, 1000];

/**
 * The one way into the ledger: load the state, decide, append behind the position the state was loaded at.
 * Commands that wait for the same chain while an append is under way are decided and committed together, which is what
 * makes a durable write cheap: one commit on PGlite costs 0.7 ms however many entries it carries.
 */
export function createRun(
  ledger: Ledger,
  load: (workspaceId: string, wants: readonly Wants[]) => Promise<WorkspaceState>,
  world: World,
): Run {
  const chains = new Map<string, Chain>();

  return (workspaceId, command) =>
    new Promise((resolve, reject) => {
      let chain = chains.get(workspaceId);
      if (!chain) {
        // The true head is learnt from the conflict of the first append; that costs one transaction after a start.
        chain = { head: { seq: 0, hash: '' }, busy: false, waiting: [] };
        chains.set(workspaceId, chain);
      }
      const commandId = world.nonce();
      chain.waiting.push({
        commandId,
        wants: command.wants,
        attempt: (state, head, recordedAt) => {
          const { drafts, deposits, erase, answer } = command.decide(state, recordedAt);
          const entries = link(workspaceId, head, drafts);
          return { commit: { commandId, entries, deposits, erase }, settle: () => resolve(answer(entries)) };
        },
        reject,
      });
      if (!chain.busy) void drain(workspaceId, chain);
    });

  async function drain(workspaceId: string, chain: Chain): Promise<void> {
    chain.busy = true;
    while (chain.waiting.length > 0) {
      // Clients that were just answered send their next request by then: of 32, all are in one batch instead of half of
      // them, which makes 870 writes a second on PGlite instead of 600. A write that comes alone waits for it too.
      await world.sleep(gatherMs);
      const batch = chain.waiting.splice(0, batchSize);
      try {
        await turn(workspaceId, chain, batch);
      } catch {
        // Refusals have been told one by one; what arrives here is the store failing. Nobody may be left waiting.
        for (const waiting of batch) waiting.reject(new Refusal('receipt_unavailable'));
      }
    }
    chain.busy = false;
  }

  /** One batch: a conflict means that the state is stale, so it is loaded and decided again. */
  async function turn(workspaceId: string, chain: Chain, batch: readonly Waiting[]): Promise<void> {
    for (let conflicts = 0; conflicts < maxConflicts; conflicts += 1) {
      // The head is taken before the state: state that is newer than the head conflicts, state that is older cannot be.
      const { head } = chain;
      const state = await load(
        workspaceId,
        batch.map(({ wants }) => wants),
      );
      const { commits, settlements, end } = decideAll(batch, state, head, world.now().toISOString());
      const appended = await appendSurely(workspaceId, head, commits);
      if (appended.outcome === 'appended') {
        chain.head = end;
        for (const settle of settlements) settle();
        return;
      }
      chain.head = appended.head;
    }
    throw new Refusal('receipt_unavailable');
  }

  /** After an error the entries may or may not be there. Appending the same commits again finds out and settles it. */
  async function appendSurely(workspaceId: string, expected: Head, commits: readonly Commit[]) {
    if (commits.length === 0) return { outcome: 'appended' as const };
    for (const pause of unsurePauses) {
      try {
        return await ledger.append(workspaceId, expected, commits);
      } catch {
        await world.sleep(pause);
      }
    }
    return ledger.append(workspaceId, expected, commits);
  }
}

/** Decides a batch in order, each command on the state the ones before it leave behind. */
function decideAll(batch: readonly Waiting[], loaded: WorkspaceState, head: Head, recordedAt: string) {
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
        end = { seq: entry.seq, hash };
      }
      if (commit.entries.length > 0) commits.push(commit);
      settlements.push(settle);
    } catch (error) {
      settlements.push(() => waiting.reject(error));
    }
  }
  return { commits, settlements, end };
}
