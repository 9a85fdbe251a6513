import type { EthereumNode } from '../../adapters/ethereum/node.js';
import { foreignNonce } from '../../domain/ethereum/begin.js';
import { type Inclusion, nextStep, type Step, type TransactionState } from '../../domain/ethereum/next-step.js';
import { begin } from './begin.js';
import { inclusionOf, look, storedBlock, viewChain } from './look.js';
import { createLooks, createSince } from './looks.js';
import { createNonceSearch } from './nonce-user.js';
import { idle, moved, type Outcome, owned, type Purpose, requireChain, type SenderParts, waiting } from './parts.js';
import {
  inFlight,
  insertVariant,
  markRecorded,
  moveTransaction,
  newest,
  type SettledBlock,
  type StoredTransaction,
  settledBlocks,
  settledFrom,
  spentOn,
  transactionOf,
  unrecorded,
} from './rows.js';
import { send, sign } from './send.js';

/**
 * Sends the transactions of one account, one after the other: the next one begins when the last one is in a final block. Every
 * step begins at the rows, and what is signed is stored before it is sent, so a process may end anywhere.
 */
export function createSender(parts: SenderParts, purpose: Purpose) {
  const { database, node, lease, setting, signer, world } = parts;
  const memory = createMemory(node);

  async function step(): Promise<Outcome> {
    if (!(await lease.take())) return idle;
    const open = await database.read((tx) => unrecorded(tx, purpose.name));
    if (open !== null) {
      await purpose.record(open);
      await owned(parts, (tx) => markRecorded(tx, open));
      return moved;
    }
    const row = await database.read((tx) => inFlight(tx, purpose.name));
    if (row !== null) return watch(parts, purpose, memory, row);
    const last = await database.read((tx) => newest(tx, purpose.name));
    const wanted = await purpose.next(last);
    if (wanted === null) return { ...idle, problem: problemOf(last, signer.address) };
    return begin(parts, purpose, memory, wanted);
  }

  return {
    purpose: purpose.name,
    /** @throws NodeFailed, LeaseLost */
    step,
    /** Looks whether the final blocks of the last day are still in the chain. @throws NodeFailed, LeaseLost */
    async lookBack(): Promise<Outcome> {
      if (!(await lease.take())) return idle;
      const since = new Date(world.now().getTime() - lookedAtMs);
      const blocks = await database.read((tx) => settledBlocks(tx, purpose.name, since));
      if (blocks.length === 0) return idle;
      await requireChain(node, setting);
      const gone = await memory.goneOf(blocks);
      const row = gone && (await database.read((tx) => transactionOf(tx, gone)));
      return row === null ? idle : watch(parts, purpose, { ...memory, during: memory.after }, row);
    },
  };
}

export type Sender = ReturnType<typeof createSender>;

/** The end of the sentence that remains true while nothing is due. */
function problemOf(last: StoredTransaction | null, account: string): string | null {
  if (last?.state === 'taken' && last.account === account) return foreignNonce;
  if (last?.state !== 'failed') return null;
  const { txHash, blockNumber } = last.inclusion ?? {};
  return `the transaction ${txHash} has failed in block ${blockNumber}, and its cost is lost: is the address that of the contract?`;
}

/** The claims of the node before, while and after a transaction is in flight, and when it was first sent. */
const createMemory = (node: EthereumNode) => ({
  before: createLooks(),
  during: createLooks(),
  after: createLooks(),
  since: createSince(),
  userOf: createNonceSearch(node),
  goneOf: createGoneSearch(node),
});
type Memory = ReturnType<typeof createMemory>;

async function watch(parts: SenderParts, purpose: Purpose, memory: Memory, row: StoredTransaction): Promise<Outcome> {
  const { database, node, signer, setting, world } = parts;
  await requireChain(node, setting);
  const view = await viewChain(node, setting.confirmations);
  const claims = await look(node, row, view, purpose.isDone, memory.userOf);
  if (row.inclusion === null && claims.nonce < row.nonce) {
    // A transaction before it was in a block that the chain does not have any more.
    const before = await database.read((tx) => settledFrom(tx, row.account, claims.nonce));
    if (before !== null && before.nonce < row.nonce) return watch(parts, purpose, memory, before);
  }
  const form = row.inclusion === null ? `${row.account} ${row.nonce} ${row.variants.length}` : null;
  const seen = {
    ...claims,
    sentAt: memory.since(form, view.head.number),
    looks: memory.during.count(contradictionOf(row, claims)),
  };
  const spent = await database.read((tx) => spentOn(tx, purpose.name, world.now()));
  const step = nextStep(row, seen, {
    ceiling: setting.maxFeeWei,
    maxTip: setting.maxTipWei,
    budgetLeft: setting.maxSpendWeiPerDay - spent.paid,
    canSign: signer.address === row.account,
  });
  return perform(parts, purpose, row, step);
}

/** The claim that the row contradicts, as a text: the same claim has the same text. */
function contradictionOf({ nonce }: StoredTransaction, seen: Awaited<ReturnType<typeof look>>): string | null {
  if (seen.storedBlock === 'replaced') return `${nonce} replaced`;
  return seen.nonce > nonce && seen.inclusion === null && seen.storedBlock === 'not looked at' ? `${nonce} used` : null;
}

async function perform(parts: SenderParts, purpose: Purpose, row: StoredTransaction, step: Step): Promise<Outcome> {
  switch (step.step) {
    case 'wait':
      return waiting(step.problem);
    case 'send':
      return (await send(parts.node, row.variants.at(-1))) ?? waiting(step.problem);
    case 'replace': {
      const variant = sign(parts, row, step.fees);
      await owned(parts, (tx) => insertVariant(tx, row, row.variants.length, variant));
      return (await send(parts.node, variant)) ?? waiting(null);
    }
    case 'mined':
      return move(parts, row, 'mined', step.inclusion);
    case 'lost':
      return move(parts, row, 'sent', null);
    case 'settle':
      return settle(parts, purpose, row, step.state);
  }
}

/** Looks at the receipt once more, because what is recorded now is permanent. */
async function settle(
  parts: SenderParts,
  purpose: Purpose,
  row: StoredTransaction,
  state: 'done' | 'failed' | 'taken',
) {
  if (state === 'taken' || row.inclusion === null) return move(parts, row, state, null);
  const again = await inclusionOf(parts.node, row, purpose.isDone);
  if (again === null) return waiting('the node does not show the transaction any more that it has shown before');
  const isSame = JSON.stringify(again, written) === JSON.stringify(row.inclusion, written);
  return isSame ? move(parts, row, state, row.inclusion) : move(parts, row, 'mined', again);
}

const written = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);

async function move(parts: SenderParts, row: StoredTransaction, state: TransactionState, inclusion: Inclusion | null) {
  await owned(parts, (tx) => moveTransaction(tx, row, state, inclusion));
  return moved;
}

/** How long the block of a transaction is looked at again after it was final: a chain may replace more blocks than anyone waits for. */
const lookedAtMs = 86_400_000;

/**
 * Finds the first block that the chain does not have any more. A block names the hash of the one before it, so while the chain has
 * the newest block that was found, it also has those that were found before it, and the node is not asked about them.
 */
function createGoneSearch(node: EthereumNode) {
  let found = new Set<string>();
  let newest: SettledBlock | null = null;

  return async (blocks: readonly SettledBlock[]): Promise<SettledBlock | null> => {
    if (newest === null || (await storedBlock(node, newest)) !== 'in the chain') found = new Set();
    const still = new Set<string>();
    for (const block of blocks) {
      const where = found.has(block.blockHash) ? 'in the chain' : await storedBlock(node, block);
      if (where === 'replaced') return block;
      if (where === 'not looked at') continue;
      still.add(block.blockHash);
      newest = block;
    }
    found = still;
    return null;
  };
}
