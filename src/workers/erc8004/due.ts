import { firstReceipts } from '../../../projections/facts/of-identity.js';
import { countedUntil, storedFile } from '../../../projections/feedback/files.js';
import type { Transaction } from '../../database/database.js';
import { type Epoch, epochOf, startOfEpoch } from '../../domain/erc8004/epoch.js';

/** An agent in an identity registry, to which an identity is linked now. */
export interface LinkedAgent {
  readonly agnId: string;
  readonly chainId: number;
  readonly registry: string;
  readonly agentId: string;
  readonly linkedAt: string;
}

/** An epoch of an agent that has ended, and which has no feedback yet. */
export interface DueEpoch {
  readonly agent: LinkedAgent;
  readonly id: string;
  /** The receipts that are counted were recorded from here on and before there. */
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The next epochs of these agents that have ended by a moment, at most one for each agent. The first one is that in which the agent
 * was linked. What is behind the last one that was made and not counted yet is counted in the next one.
 */
export async function dueEpochs(
  tx: Transaction,
  agents: readonly LinkedAgent[],
  epochMs: number,
  ended: number,
): Promise<DueEpoch[]> {
  const counted = await countedUntil(
    tx,
    agents.map(({ agnId }) => agnId),
  );
  const from = new Map(
    agents.map(({ agnId, linkedAt }) => {
      const linked = startOfEpoch(Date.parse(linkedAt), epochMs);
      return [agnId, Math.max(linked, counted.get(agnId) ?? linked)];
    }),
  );
  const uncounted = [...from].map(([agnId, fromMs]) => ({ agnId, fromMs }));
  const firsts = await firstReceipts(tx, uncounted, ended);
  const due: DueEpoch[] = [];
  for (const agent of agents) {
    const first = firsts.get(agent.agnId);
    if (first === undefined) continue;
    const { id, fromMs, toMs } = await freeEpoch(tx, agent.agnId, first, epochMs);
    if (toMs <= ended)
      due.push({ agent, id, toMs, fromMs: Math.max(Math.min(fromMs, first), from.get(agent.agnId) ?? fromMs) });
  }
  return due;
}

/** The epoch of a moment, or the next one without feedback: after a change of their length two epochs may have one id. */
async function freeEpoch(tx: Transaction, agnId: string, ms: number, epochMs: number): Promise<Epoch> {
  for (let epoch = epochOf(ms, epochMs); ; epoch = epochOf(epoch.toMs, epochMs)) {
    if ((await storedFile(tx, agnId, epoch.id)) === null) return epoch;
  }
}
