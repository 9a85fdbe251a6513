import { ethereumAnchorCounts, uncoveredOnEthereum } from '../../../projections/log/ethereum-anchors.js';
import type { EngineHealth } from '../../adapters/gauges/engines.js';
import type { Transaction } from '../../database/database.js';
import { type AccountParts, createAccountHealth, type SentState, secondsSince } from './account-health.js';

/** The state of the anchors on Ethereum and of the account that pays for them, for metrics and readiness. */
export const createEthereumHealth = (parts: AccountParts): (() => Promise<EngineHealth>) =>
  createAccountHealth(parts, {
    engine: 'ethereum',
    later: 'Checkpoints are anchored later.',
    waiting: 'Anchors on Ethereum wait',
    one: 'one anchor',
    stored: storedAnchors,
  });

async function storedAnchors(tx: Transaction, now: Date): Promise<SentState> {
  const { count, since } = await uncoveredOnEthereum(tx);
  const counts = await ethereumAnchorCounts(tx);
  const states = (['mined', 'final', 'unproved', 'lost'] as const).map(
    (state) => [state, counts.get(state) ?? 0] as const,
  );
  return {
    lags: new Map([['ethereum-anchors', { entries: count, seconds: since === null ? 0 : secondsSince(since, now) }]]),
    problems: withoutProof(counts.get('unproved') ?? 0),
    states: new Map(states),
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
