import { ethereumAnchorCounts, uncoveredOnEthereum } from '../../projections/log/ethereum-anchors.js';
import type { Database } from '../adapters/database/database.js';
import { type EthereumNode, NodeFailed, openNode } from '../adapters/ethereum/node.js';
import type { AccountHealth, EngineHealth } from '../adapters/metrics.js';
import type { EthereumSetting } from '../ethereum-settings.js';
import type { Purpose } from '../workers/ethereum/parts.js';
import { inFlight, spentOn } from '../workers/ethereum/rows.js';
import type { World } from '../world.js';

interface Parts {
  readonly database: Database;
  readonly world: Pick<World, 'now'>;
  readonly setting: EthereumSetting;
  /** The address of the account that pays. */
  readonly account: string;
  readonly purpose: Pick<Purpose, 'name' | 'mostGas'>;
  /** The end of a sentence: why this process does not send. */
  problem(): string | null;
}

/** How long a look at the node is shown, and how long it takes at most. */
const lookMs = { shown: 30_000, wait: 800 };
/** With less than this number of transactions at the highest fee the operator should send ether. */
const enough = 3n;

/** The state of the anchors on Ethereum and of the account that pays for them, for metrics and readiness. */
export function createEthereumHealth(parts: Parts): () => Promise<EngineHealth> {
  const { database, world, setting, account, purpose, problem } = parts;
  const look = shownFor(lookMs.shown, () => lookAt(openNode(setting.rpcUrl, lookMs.wait), setting, account));
  return async () => {
    const [{ fault, balance }, stored] = await Promise.all([
      look(),
      // When the database does not answer, that is reported already.
      database.read((tx) => storedHealth(tx, purpose.name, world)).catch(() => null),
    ]);
    const waits = problem();
    const worst = purpose.mostGas * setting.maxFeeWei;
    const isLow = balance !== null && balance < enough * worst;
    return {
      engine: 'ethereum',
      isUp: fault === null,
      problems: [
        ...(fault === null ? [] : [`The node of Ethereum is of no use: ${fault}. Checkpoints are anchored later.`]),
        ...(waits === null ? [] : [`Anchors on Ethereum wait: ${waits}.`]),
        ...(isLow
          ? [`The account ${account} has ${balance} wei, and one anchor may cost ${worst}. Send ether to it.`]
          : []),
      ],
      lags: new Map(stored === null ? [] : [['ethereum-anchors', stored.lag]]),
      ...(stored === null ? {} : { account: { purpose: purpose.name, balance, ...stored.account } }),
    };
  };
}

async function storedHealth(
  tx: Parameters<Parameters<Database['read']>[0]>[0],
  purpose: string,
  world: Pick<World, 'now'>,
): Promise<{ lag: { entries: number; seconds: number }; account: Omit<AccountHealth, 'purpose' | 'balance'> }> {
  const now = world.now();
  const seconds = (since: string) => Math.max(0, (now.getTime() - Date.parse(since)) / 1000);
  const uncovered = await uncoveredOnEthereum(tx);
  const counts = await ethereumAnchorCounts(tx);
  const { paid, reserved } = await spentOn(tx, purpose, now);
  const row = await inFlight(tx, purpose);
  const states = (['mined', 'final', 'lost'] as const).map((state) => [state, counts.get(state) ?? 0] as const);
  return {
    lag: { entries: uncovered.count, seconds: uncovered.since === null ? 0 : seconds(uncovered.since) },
    account: {
      spentToday: paid + reserved,
      inFlight: row && { seconds: seconds(row.begunAt), maxFee: row.variants.at(-1)?.maxFee ?? 0n },
      states: new Map(states),
    },
  };
}

interface Look {
  readonly fault: string | null;
  readonly balance: bigint | null;
}

async function lookAt(node: EthereumNode, { chainId }: EthereumSetting, account: string): Promise<Look> {
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
