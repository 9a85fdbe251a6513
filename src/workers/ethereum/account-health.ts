import { type EthereumNode, NodeFailed, openNode } from '../../adapters/ethereum/node.js';
import type { AccountHealth } from '../../adapters/gauges/account.js';
import type { EngineHealth } from '../../adapters/gauges/engines.js';
import type { World } from '../../base/world.js';
import type { Database, Transaction } from '../../database/database.js';
import type { EthereumSetting } from '../../settings/ethereum.js';
import type { Purpose } from './parts.js';
import { inFlight, spentOn } from './rows.js';

export interface AccountParts {
  readonly database: Database;
  readonly world: Pick<World, 'now'>;
  readonly setting: EthereumSetting;
  /** The address of the account that pays. */
  readonly account: string;
  readonly purpose: Pick<Purpose, 'name' | 'mostGas'>;
  /** The end of a sentence: why this process does not send. */
  problem(): string | null;
}

/** Things that are sent from an account, and what the database knows of them. */
interface Sent {
  readonly engine: string;
  /** The parts of sentences: what happens while the node is of no use, what waits, and one of what is sent. */
  readonly later: string;
  readonly waiting: string;
  readonly one: string;
  stored(tx: Transaction, now: Date): Promise<SentState>;
}

export interface SentState {
  /** By the name of the lag in metrics. */
  readonly lags: EngineHealth['lags'];
  readonly problems: readonly string[];
  readonly states: AccountHealth['states'];
}

/** The state of what is sent from an account on Ethereum and of the account itself, for metrics and readiness. */
export function createAccountHealth(
  { database, world, setting, account, purpose, problem }: AccountParts,
  { engine, later, waiting, one, stored }: Sent,
): () => Promise<EngineHealth> {
  const look = watchAccount(setting, account);
  return async () => {
    const now = world.now();
    const [{ fault, balance }, known] = await Promise.all([
      look(),
      database
        .read(async (tx) => ({ ...(await stored(tx, now)), paid: await storedAccount(tx, purpose.name, now) }))
        // When the database does not answer, that is reported already.
        .catch(() => null),
    ]);
    const waits = problem();
    return {
      engine,
      isUp: fault === null,
      problems: [
        ...(fault === null ? [] : [`The node of Ethereum is of no use: ${fault}. ${later}`]),
        ...(waits === null ? [] : [`${waiting}: ${waits}.`]),
        ...lowBalance(account, balance, setting, purpose, one),
        ...(known?.problems ?? []),
      ],
      lags: known?.lags ?? new Map(),
      ...(known && { account: { purpose: purpose.name, balance, ...known.paid, states: known.states } }),
    };
  };
}

/** An account as a node shows it. */
interface AccountLook {
  /** The end of a sentence: why the node is of no use. */
  readonly fault: string | null;
  /** In wei; null while the node is of no use. */
  readonly balance: bigint | null;
}

type Chain = Pick<EthereumSetting, 'rpcUrl' | 'chainId'>;

/** How long a look at the node is shown, and how long it takes at most. */
const lookMs = { shown: 30_000, wait: 800 };
/** With less than this number of transactions at the highest fee the operator should send ether. */
const enough = 3n;

/** Looks at an account now and then, for metrics and readiness. */
function watchAccount(setting: Chain, account: string): () => Promise<AccountLook> {
  const node = openNode(setting.rpcUrl, lookMs.wait);
  return shownFor(lookMs.shown, () => lookAt(node, setting, account));
}

/** The problem of an account that will soon be empty, as a sentence; none of any other account. */
function lowBalance(
  account: string,
  balance: bigint | null,
  { maxFeeWei }: Pick<EthereumSetting, 'maxFeeWei'>,
  { mostGas }: Pick<Purpose, 'mostGas'>,
  transaction: string,
): string[] {
  const worst = mostGas * maxFeeWei;
  if (balance === null || balance >= enough * worst) return [];
  return [`The account ${account} has ${balance} wei, and ${transaction} may cost ${worst}. Send ether to it.`];
}

/** The state of an account that the database knows. */
async function storedAccount(
  tx: Transaction,
  purpose: string,
  now: Date,
): Promise<Pick<AccountHealth, 'spentToday' | 'inFlight'>> {
  const { paid, reserved } = await spentOn(tx, purpose, now);
  const row = await inFlight(tx, purpose);
  return {
    spentToday: paid + reserved,
    inFlight: row && { seconds: secondsSince(row.begunAt, now), maxFee: row.variants.at(-1)?.maxFee ?? 0n },
  };
}

export const secondsSince = (since: string | number, now: Date): number =>
  Math.max(0, (now.getTime() - new Date(since).getTime()) / 1000);

async function lookAt(node: EthereumNode, { chainId }: Chain, account: string): Promise<AccountLook> {
  try {
    const [answered, balance] = await Promise.all([node.chainId(), node.balance(account)]);
    if (answered === chainId) return { fault: null, balance };
    return { fault: `it is of chain ${answered}, and ETH_CHAIN_ID is ${chainId}`, balance: null };
  } catch (error) {
    if (error instanceof NodeFailed) return { fault: error.message, balance: null };
    throw error;
  }
}

/** The answer of a question that is asked now and then only. */
function shownFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let asked: { readonly at: number; readonly answer: Promise<T> } | null = null;
  return () => {
    if (asked === null || performance.now() - asked.at > ms) asked = { at: performance.now(), answer: ask() };
    return asked.answer;
  };
}
