import { expect, it, vi } from 'vitest';
import { Refusal } from '../../contracts/errors.js';
import { realWorld, receiptId, type World } from '../../src/base/world.js';
import type { Command } from '../../src/commands/command.js';
import { createRun } from '../../src/commands/run.js';
import { emptyState, type Load } from '../../src/commands/state/state.js';
import { StoreBusy, StoreClosed, type Transaction } from '../../src/database/database.js';
import { genesisBytes, genesisHead, type Head } from '../../src/ledger/chain.js';
import {
  type Appended,
  type AppendedInQueue,
  type Commit,
  type DecidedAppend,
  type Ledger,
  NotAppended,
} from '../../src/ledger/ledger.js';

const chain = realWorld.id();
const tx: Transaction = { query: async () => [], select: async () => [], write: async () => undefined };
const unused = () => Promise.reject(new Error('not used'));

/** The outcome of an append from the queue, before or after its commands are decided. */
type Outcome = (decide: () => Promise<DecidedAppend | null>) => Promise<AppendedInQueue>;

const appended: Outcome = async (decide) => {
  await decide();
  return { outcome: 'appended' };
};
const fails =
  (error: Error): Outcome =>
  async (decide) => {
    await decide();
    throw error;
  };

/** A ledger with one chain, whose appends from the queue have these outcomes one after the other, and then succeed. */
function given(outcomes: readonly Outcome[], repeats: readonly (Appended | Error)[] = []) {
  const [left, leftOfRepeats] = [[...outcomes], [...repeats]];
  const head: Head = genesisHead(genesisBytes(chain, '2026-01-01T00:00:00.000Z'));
  const decided: (DecidedAppend | null)[] = [];
  const repeated: (readonly Commit[])[] = [];
  let refusal: Error | null = null;
  const ledger: Ledger = {
    begin: unused,
    read: unused,
    follow: () => {
      throw new Error('not used');
    },
    async append(_chain, _expected, commits) {
      repeated.push(commits);
      const outcome = leftOfRepeats.shift() ?? { outcome: 'appended' };
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    appendInQueue: (entering, decide) =>
      (left.shift() ?? appended)(async () => {
        const chains = 'ifFree' in entering ? entering.ifFree : entering.waitFor;
        const [one = null] = await decide(tx, Promise.resolve(new Set(chains)));
        decided.push(one);
        return one;
      }),
  };
  const load: Load = async (_chain, _reads, within) => {
    expect(within).toBe(tx);
    if (refusal) throw refusal;
    return { head, state: emptyState };
  };
  let passed = 0;
  const pauses: number[] = [];
  const world: World = {
    ...realWorld,
    now: () => new Date(Date.UTC(2026, 0, 2) + passed),
    sleep: async (ms) => {
      pauses.push(ms);
      passed += 60_000;
    },
  };
  return {
    run: createRun(ledger, load, world),
    decided,
    repeated,
    pauses,
    refuse(error: Error) {
      refusal = error;
    },
  };
}

/** A command whose answer is the time of its entry. */
function command(): Command<string> {
  const receipt_id = receiptId(realWorld);
  return {
    actor: { type: 'system', id: null, user_id: null, agent_id: null, app_id: null, run_id: null },
    reads: {},
    decide: (_state, recordedAt) => ({
      drafts: [{ receipt_id, kind: 'workspace.provisioned', body: { plan: 'pro', memory_api: true } }],
      deposits: [],
      answer: () => recordedAt,
    }),
  };
}

const timesOf = (all: readonly (DecidedAppend | null)[]) =>
  all.map((one) => one?.commits[0]?.entries[0]?.entry.recorded_at);

it('commands that wait for the same place are one append, and each has its answer', async () => {
  const { run, decided, repeated } = given([]);
  const answers = await Promise.all(Array.from({ length: 5 }, () => run(chain, command())));
  expect(answers).toHaveLength(5);
  expect(decided.map((one) => one?.commits.length)).toEqual([5]);
  expect(repeated).toEqual([]);
});

it('what is known not to be appended is decided again, with the time of that', async () => {
  const { run, decided } = given([fails(new NotAppended('not')), fails(new NotAppended('not'))]);
  const answer = await run(chain, command());
  expect(decided).toHaveLength(3);
  expect(new Set(timesOf(decided)).size).toBe(2);
  expect(answer).toBe(timesOf(decided).at(-1));
});

it('what is in doubt is repeated as it was until its outcome is known, and not decided again', async () => {
  const { run, decided, repeated } = given(
    [fails(new Error('who knows'))],
    [new Error('who knows'), new NotAppended('of the first it says nothing'), { outcome: 'appended' }],
  );
  const answer = await run(chain, command());
  expect(decided).toHaveLength(1);
  expect(repeated).toEqual(Array.from({ length: 3 }, () => decided[0]?.commits));
  expect(answer).toBe(timesOf(decided)[0]);
});

it('what was in doubt and lost its place to another is decided again', async () => {
  const conflict: Appended = { outcome: 'conflict', head: { seq: 9, hash: 'of another' } };
  const { run, decided, repeated } = given([fails(new Error('who knows'))], [conflict]);
  await run(chain, command());
  expect(decided).toHaveLength(2);
  expect(repeated).toHaveLength(1);
});

it('a time that is settled is left behind', async () => {
  const settledMs = Date.UTC(2026, 5, 1);
  const late: Outcome = async (decide) => {
    await decide();
    return { outcome: 'late', settledMs };
  };
  const { run } = given([late]);
  expect(await run(chain, command())).toBe(new Date(settledMs + 1).toISOString());
});

it('who waits too long in the queue tries again, with those who came meanwhile, however often', async () => {
  const busy = () =>
    Promise.reject(new NotAppended('not', { cause: new StoreBusy('a lock was not released in time') }));
  const { run, decided } = given(Array.from({ length: 12 }, () => busy));
  const first = run(chain, command());
  await Promise.all([first, run(chain, command())]);
  expect(decided.map((one) => one?.commits.length)).toEqual([2]);
});

it('a refusal from the state is for its callers: nothing is appended, and nothing is tried again', async () => {
  const { run, decided, repeated, pauses, refuse } = given([]);
  const refusal = new Refusal('approval_unavailable');
  refuse(refusal);
  await expect(run(chain, command())).rejects.toBe(refusal);
  expect(decided).toEqual([null]);
  expect([...repeated, ...pauses]).toEqual([]);
});

it('a command that writes nothing is answered without an append', async () => {
  const { run, decided } = given([]);
  const nothing: Command<string> = {
    ...command(),
    decide: () => ({ drafts: [], deposits: [], answer: () => 'as it was' }),
  };
  const refused = new Refusal('memory_not_found');
  const refusing: Command<string> = {
    ...command(),
    decide() {
      throw refused;
    },
  };
  const [answer, error] = await Promise.all([run(chain, nothing), run(chain, refusing).catch((one) => one)]);
  expect([answer, error]).toEqual(['as it was', refused]);
  expect(decided).toEqual([null]);
});

it('a store that fails forever refuses at once, and one that keeps failing after some pauses', async () => {
  const isClosed = fails(new NotAppended('not', { cause: new StoreClosed('closed') }));
  // Once with others, and once alone.
  const closed = given([isClosed, isClosed]);
  await expect(closed.run(chain, command())).rejects.toMatchObject({ code: 'receipt_unavailable' });
  expect(closed.decided).toHaveLength(2);
  const failing = given(Array.from({ length: 9 }, () => fails(new NotAppended('not'))));
  await expect(failing.run(chain, command())).rejects.toMatchObject({ code: 'receipt_unavailable' });
  expect(failing.decided).toHaveLength(6);
});

it('whose patience ends is refused, and never appended later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let end: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const waits: Outcome = async () => {
      await held;
      throw new NotAppended('not', { cause: new StoreBusy('a lock was not released in time') });
    };
    const { run, decided } = given([waits]);
    const refused = run(chain, command()).catch((error) => error);
    await vi.advanceTimersByTimeAsync(20_001);
    expect(await refused).toMatchObject({ code: 'receipt_unavailable' });
    end();
    await vi.advanceTimersByTimeAsync(10);
    expect(decided).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});
