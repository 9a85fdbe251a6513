import { ethereumAnchorCounts, uncoveredOnEthereum } from '../../../projections/log/ethereum-anchors.js';
import type { AccountHealth } from '../../adapters/account-gauges.js';
import type { EngineHealth } from '../../adapters/metrics.js';
import type { World } from '../../base/world.js';
import type { Database, Transaction } from '../../database/database.js';
import type { EthereumSetting } from '../../settings/ethereum.js';
import { lowBalance, secondsSince, storedAccount, watchAccount } from './account-health.js';
import type { Purpose } from './parts.js';

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

/** The state of the anchors on Ethereum and of the account that pays for them, for metrics and readiness. */
export function createEthereumHealth(parts: Parts): () => Promise<EngineHealth> {
  const { database, world, setting, account, purpose, problem } = parts;
  const look = watchAccount(setting, account);
  return async () => {
    const [{ fault, balance }, stored] = await Promise.all([
      look(),
      // When the database does not answer, that is reported already.
      database.read((tx) => storedHealth(tx, purpose.name, world.now())).catch(() => null),
    ]);
    const waits = problem();
    return {
      engine: 'ethereum',
      isUp: fault === null,
      problems: [
        ...(fault === null ? [] : [`The node of Ethereum is of no use: ${fault}. Checkpoints are anchored later.`]),
        ...(waits === null ? [] : [`Anchors on Ethereum wait: ${waits}.`]),
        ...lowBalance(account, balance, setting, purpose, 'one anchor'),
        ...withoutProof(stored?.account.states.get('unproved') ?? 0),
      ],
      lags: new Map(stored === null ? [] : [['ethereum-anchors', stored.lag]]),
      ...(stored === null ? {} : { account: { purpose: purpose.name, balance, ...stored.account } }),
    };
  };
}

/** A final anchor without a proof is of no use to readers who do not trust this service. */
function withoutProof(anchors: number): string[] {
  if (anchors === 0) return [];
  const are = anchors === 1 ? '1 anchor on Ethereum is' : `${anchors} anchors on Ethereum are`;
  return [
    `${are} final without a proof, because the node did not know the method eth_getBlockReceipts. A node that knows it proves them later.`,
  ];
}

async function storedHealth(
  tx: Transaction,
  purpose: string,
  now: Date,
): Promise<{ lag: { entries: number; seconds: number }; account: Omit<AccountHealth, 'purpose' | 'balance'> }> {
  const uncovered = await uncoveredOnEthereum(tx);
  const counts = await ethereumAnchorCounts(tx);
  const states = (['mined', 'final', 'unproved', 'lost'] as const).map(
    (state) => [state, counts.get(state) ?? 0] as const,
  );
  return {
    lag: { entries: uncovered.count, seconds: uncovered.since === null ? 0 : secondsSince(uncovered.since, now) },
    account: { ...(await storedAccount(tx, purpose, now)), states: new Map(states) },
  };
}
