import type { Draft } from '../../contracts/entries/entry.js';
import type { Deposit, KeptAnswer } from '../../contracts/entries/recorded.js';
import { type ErrorCode, Refusal } from '../../contracts/errors.js';
import { emptyState, evolve, type Wants, type WorkspaceState, wantsNothing } from '../domain/state.js';
import { type Head, type Linked, link } from '../ledger/chain.js';
import type { Commit, Ledger } from '../ledger/ledger.js';
import type { World } from '../world.js';

interface Effects {
  readonly drafts: readonly Draft[];
  readonly deposits: readonly Deposit[];
  readonly erase: readonly string[];
}

/** What a command has become: entries to append, what they commit to, and the answer once they are in the chain. */
export interface Done<A> extends Effects {
  answer(receipts: readonly Linked[]): A;
  /** What to keep for a repetition of the request; unset when it may happen again. */
  keep?(answer: A, receipts: readonly Linked[]): KeptAnswer;
}

/** A refusal that leaves entries behind: told once these are in the chain. */
export interface Refused extends Effects {
  readonly refusal: Refusal;
  /** What is said when they cannot be recorded. */
  readonly unrecorded: ErrorCode;
}

export type Decision<A> = Done<A> | Refused;

/** A request that may write. `decide` is pure: it may run again with a newer state when somebody else wrote first. */
export interface Command<A> {
  readonly wants: Wants;
  /**
   * @param head the end of the chain that the entries would follow
   * @throws Refusal when the command may not happen; nothing of it is written then.
   */
  decide(state: WorkspaceState, recordedAt: string, head: Head): Decision<A>;
}

/** Runs a command against a workspace's chain and gives its answer once its entries are durable. */
export type Run = <A>(workspaceId: string, command: Command<A>) => Promise<A>;

interface Waiting {
  readonly commandId: string;
  readonly wants: Wants;
  /** Decides and links behind `head`; returns what to append and a way to tell the caller that it is done. */
  attempt(state: WorkspaceState, head: Head, recordedAt: string): { commit: Commit; settle: () => void };
  reject(error: unknown): void;
  /** The store failed. */
  fail(error: unknown): void;
}

/** What a batch sees of its workspace, and the position of the chain it is not older than. */
export interface Loaded {
  readonly head: Head;
  readonly state: WorkspaceState;
}

/** More commands than this in one transaction only make the first of them wait for the last. */
const batchSize = 128;
/**
 * How long a batch waits at most for clients that were just answered, most of whom send their next request at once. Taking
 * those who are there already splits 32 clients into two halves that take turns: 700 writes a second instead of 870.
 */
const gatherMs = 10;
/** Each conflict means that another process got through, so giving up after this many starves nobody for long. */
const maxConflicts = 8;
/** An append whose outcome is unknown is asked for again after these pauses, in milliseconds. */
const unsurePauses = [5, 50, 250, 1000];

type Load = (workspaceId: string, wants: readonly Wants[]) => Promise<Loaded>;

/** A chain as this process writes to it, with what is needed to do so. */
interface Line {
  readonly workspaceId: string;
  readonly ledger: Ledger;
  readonly load: Load;
  readonly world: World;
  /** Where the chain ended when this process last appended to it; null before that. */
  head: Head | null;
  busy: boolean;
  readonly waiting: Waiting[];
  /** How many commands are likely to come at once: those that were just answered, and those that waited meanwhile. */
  expected: number;
}

/**
 * The one way into the ledger: load the state, decide, append behind the position the state was loaded at.
 * Commands that wait for the same chain while an append is under way are decided and committed together, which is what
 * makes a durable write cheap: one commit on PGlite costs 0.7 ms however many entries it carries.
 */
export function createRun(ledger: Ledger, load: Load, world: World): Run {
  const lines = new Map<string, Line>();
  return (workspaceId, command) =>
    new Promise((resolve, reject) => {
      let line = lines.get(workspaceId);
      if (!line) {
        line = { workspaceId, ledger, load, world, head: null, busy: false, waiting: [], expected: 0 };
        lines.set(workspaceId, line);
      }
      const commandId = world.nonce();
      let unrecorded: ErrorCode = 'receipt_unavailable';
      line.waiting.push({
        commandId,
        wants: command.wants,
        attempt: (state, head, recordedAt) => {
          const decision = command.decide(state, recordedAt, head);
          const { drafts, deposits, erase } = decision;
          const entries = link(workspaceId, head, drafts);
          const commit = { commandId, entries, deposits, erase };
          unrecorded = 'unrecorded' in decision ? decision.unrecorded : 'receipt_unavailable';
          if ('refusal' in decision) {
            return { commit: { ...commit, answer: null }, settle: () => reject(decision.refusal) };
          }
          const given = decision.answer(entries);
          const answer = decision.keep?.(given, entries) ?? null;
          return { commit: { ...commit, answer }, settle: () => resolve(given) };
        },
        reject,
        fail: (error) => reject(error instanceof Refusal ? error : new Refusal(unrecorded)),
      });
      if (!line.busy) void drain(line);
    });
}

async function drain(line: Line): Promise<void> {
  line.busy = true;
  while (line.waiting.length > 0) {
    await gather(line);
    const batch = line.waiting.splice(0, batchSize);
    try {
      await turn(line, batch);
    } catch (error) {
      // Refusals have been told one by one; what arrives here is the store failing. Nobody may be left waiting.
      for (const waiting of batch) waiting.fail(error);
    }
    line.expected = batch.length + line.waiting.length;
  }
  line.busy = false;
}

async function gather(line: Line): Promise<void> {
  for (let waited = 0; line.waiting.length < line.expected && waited < gatherMs; waited += 1) await line.world.sleep(1);
}

/** One batch: a conflict means that another process has appended since the state was loaded, so it is loaded again. */
async function turn(line: Line, batch: readonly Waiting[]): Promise<void> {
  const wants = batch.map((waiting) => waiting.wants);
  const blind = wants.every((want) => want === wantsNothing);
  for (let conflicts = 0; conflicts < maxConflicts; conflicts += 1) {
    const { head, state } =
      blind && line.head !== null ? { head: line.head, state: emptyState } : await line.load(line.workspaceId, wants);
    const { commits, settlements, end } = decideAll(batch, state, head, line.world.now().toISOString());
    const appended = await appendSurely(line, head, commits);
    if (appended.outcome === 'appended') {
      line.head = end;
      for (const settle of settlements) settle();
      return;
    }
    line.head = appended.head;
  }
  throw new Error('others kept appending to the chain');
}

/** After an error the entries may or may not be there. Appending the same commits again finds out and settles it. */
async function appendSurely({ workspaceId, ledger, world }: Line, expected: Head, commits: readonly Commit[]) {
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
