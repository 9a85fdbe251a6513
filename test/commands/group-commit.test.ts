import { expect, it } from 'vitest';
import { realWorld, receiptId } from '../../src/base/world.js';
import type { Command } from '../../src/commands/command.js';
import { createRun } from '../../src/commands/run.js';
import { emptyState } from '../../src/commands/state/state.js';
import { StoreBusy, type Transaction } from '../../src/database/database.js';
import { genesisBytes, genesisHead } from '../../src/ledger/chain.js';
import { type Entering, type Ledger, NotAppended } from '../../src/ledger/ledger.js';

const tx: Transaction = { query: async () => [], select: async () => [], write: async () => undefined };
const unused = () => Promise.reject(new Error('not used'));
const [a, b, c] = [realWorld.id(), realWorld.id(), realWorld.id()];

/** The queues that an append enters, and the chains to which it appends. */
interface Seen {
  readonly entering: Entering;
  readonly chains: readonly string[];
}

/**
 * A ledger of the chains above.
 * @param enter the chains whose queues an append enters
 * @param before is waited for before it is committed
 */
function given(enter: (entering: Entering) => readonly string[], before: (one: Seen) => Promise<void> | void) {
  const seen: Seen[] = [];
  const ledger: Ledger = {
    begin: unused,
    read: unused,
    append: unused,
    follow: () => {
      throw new Error('not used');
    },
    async appendInQueue(entering, decide) {
      const appends = await decide(tx, Promise.resolve(new Set(enter(entering))));
      const one = { entering, chains: appends.map(({ chain }) => chain) };
      seen.push(one);
      await before(one);
      return { outcome: 'appended' };
    },
  };
  const head = genesisHead(genesisBytes(a, '2026-01-01T00:00:00.000Z'));
  const run = createRun(ledger, async () => ({ head, state: emptyState }), realWorld);
  const write = (chain: string, characters = 10) => run(chain, command(characters));
  return { write, seen };
}

/** @param characters of its text */
function command(characters: number): Command<number> {
  const id = receiptId(realWorld);
  return {
    actor: { type: 'system', id: null, user_id: null, agent_id: null, app_id: null, run_id: null },
    reads: {},
    decide: () => ({
      drafts: [{ receipt_id: id, kind: 'workspace.provisioned', body: { plan: 'pro', memory_api: true } }],
      deposits: [{ receiptId: id, salt: new Uint8Array(32), texts: { content: 'x'.repeat(characters) } }],
      answer: () => characters,
    }),
  };
}

const all = (entering: Entering): readonly string[] => ('ifFree' in entering ? entering.ifFree : entering.waitFor);

it('chains that wait while a group is committed are the next group, in the order in which they came', async () => {
  const { write, seen } = given(all, () => realWorld.sleep(5));
  await Promise.all([write(a), write(b), write(c), write(a)]);
  expect(seen).toEqual([{ entering: { ifFree: [a, b, c] }, chains: [a, b, c] }]);
});

it('a chain that another process writes to is left out, and waits for it in groups of its own from then on', async () => {
  const others = new Set([b]);
  const enter = (entering: Entering) => all(entering).filter((one) => 'waitFor' in entering || !others.has(one));
  const { write, seen } = given(enter, () => undefined);
  await Promise.all([write(a), write(b), write(c)]);
  await Promise.all([write(a), write(b)]);
  expect(seen).toEqual([
    { entering: { ifFree: [a, b, c] }, chains: [a, c] },
    { entering: { waitFor: [b] }, chains: [b] },
    { entering: { ifFree: [a] }, chains: [a] },
    { entering: { waitFor: [b] }, chains: [b] },
  ]);
  await realWorld.sleep(1100);
  others.clear();
  await Promise.all([write(a), write(b)]);
  expect(seen.at(-1)).toEqual({ entering: { ifFree: [a, b] }, chains: [a, b] });
});

it('a group that is not appended is committed chain by chain, and the chains stay apart for a while', async () => {
  let isFirst = true;
  const { write, seen } = given(all, () => {
    if (!isFirst) return;
    isFirst = false;
    throw new NotAppended('not', { cause: new StoreBusy('a lock was not released in time') });
  });
  await Promise.all([write(a), write(b)]);
  await Promise.all([write(a), write(c)]);
  expect(seen.map(({ entering }) => entering)).toEqual([
    { ifFree: [a, b] },
    { waitFor: [a] },
    { waitFor: [b] },
    { waitFor: [a] },
    { ifFree: [c] },
  ]);
});

it('a group that takes long keeps no other chain waiting', async () => {
  let end: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { write } = given(all, ({ chains }) => (chains.includes(a) ? held : undefined));
  const slow = write(a);
  await realWorld.sleep(1);
  await Promise.all([write(b), write(c)]);
  end();
  await slow;
});

it('a command that is too large for what is left of an append is in the next one, however many small ones come', async () => {
  const { write, seen } = given(all, () => undefined);
  let isDone = false;
  const small = async () => {
    while (!isDone) await write(a);
  };
  const others = [small(), small()];
  await realWorld.sleep(5);
  const before = seen.length;
  const large = write(b, 2_000_000).then(() => {
    isDone = true;
  });
  await Promise.all([large, ...others]);
  expect(seen.slice(before).findIndex(({ chains }) => chains.includes(b))).toBeLessThanOrEqual(3);
});
