import type { IdentityHistory } from '../../../contracts/identities.js';
import { disputeCounts } from '../../../projections/facts/disputes.js';
import {
  capabilitySums,
  monthSums,
  newestAttestations,
  newestHandles,
  totalSums,
} from '../../../projections/facts/identities.js';
import type { Transaction } from '../../database/database.js';
import { type Figure, rate } from '../../domain/market/numbers/figure.js';
import { symbolOf } from '../../domain/public-name.js';
import { noHistory } from './record.js';

/**
 * The part of the records of these identities that comes from public task receipts. The work depends on the number of
 * their months, capabilities and attestations, and not on the number of their receipts.
 */
export async function historiesOf(
  tx: Transaction,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, IdentityHistory>> {
  const [handles, capabilities, months, totals, attestations, disputes] = await Promise.all([
    newestHandles(tx, agentIds).then(byAgent),
    capabilitySums(tx, agentIds).then(byAgent),
    monthSums(tx, agentIds).then(byAgent),
    totalSums(tx, agentIds),
    newestAttestations(tx, agentIds).then(byAgent),
    disputeCounts(tx, agentIds).then(byAgent),
  ]);
  return new Map(
    totals.map(({ agent, tasks, successes, failures, violated, first_ms, last_ms }) => {
      const [{ won, lost, open } = noHistory.operating_history.disputes] = disputes.get(agent) ?? [];
      const history: IdentityHistory = {
        handle: handles.get(agent)?.[0]?.handle ?? null,
        capability_registry: (capabilities.get(agent) ?? []).map((one) => ({
          capability: one.capability,
          symbol: symbolOf(one.capability),
          tasks: one.tasks,
          first_seen: timeOf(one.first_ms),
          last_seen: timeOf(one.last_ms),
        })),
        attestations: (attestations.get(agent) ?? []).map(({ type, recorded_ms, issuer, hash, verified }) => ({
          type,
          at: timeOf(recorded_ms),
          issuer,
          hash,
          verified,
        })),
        operating_history: {
          first_seen: timeOf(first_ms),
          last_seen: timeOf(last_ms),
          tasks,
          success_rate: numberOf(rate(successes, successes + failures)),
          scope_violation_rate: numberOf(rate(violated, tasks)),
          months: (months.get(agent) ?? []).map((one) => ({
            month: one.month,
            tasks: one.tasks,
            success_rate: numberOf(rate(one.successes, one.successes + one.failures)),
          })),
          disputes: { won, lost, open },
        },
      };
      return [agent, history];
    }),
  );
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

/** A double prints the six decimals of a rate as they are. */
const numberOf = (figure: Figure | null): number | null => figure?.toNumber() ?? null;

/** Keeps the order of the rows. */
function byAgent<R extends { readonly agent: string }>(rows: readonly R[]): ReadonlyMap<string, readonly R[]> {
  const found = new Map<string, R[]>();
  for (const row of rows) {
    const own = found.get(row.agent);
    if (own) own.push(row);
    else found.set(row.agent, [row]);
  }
  return found;
}
