import type { Entry } from '../../../contracts/entries/entry.js';
import { timeOf } from '../../../contracts/instant.js';
import { publicName } from '../public-name.js';
import { latencyBucket } from './latency.js';
import { costMicros, toMicros } from './numbers/exact.js';

export type TaskEntry = Extract<Entry, { kind: 'task' }>;

/** The position of a public task receipt among those of all workspaces: by time, then by hash. */
export interface Place {
  readonly recorded_ms: number;
  readonly hash: string;
}

/** All that public figures know about a task receipt, apart from its statements about objects. Money is in millionths. */
export interface Fact extends Place {
  /** The tag of the workspace, and the position in its chain. */
  readonly workspace: string;
  readonly seq: number;
  /** The identity to which the handle was linked with proof, or else `@handle~tag`. */
  readonly agent: string;
  readonly handle: string;
  readonly vendor: string;
  readonly platform: string;
  readonly capability: string | null;
  readonly sector: string | null;
  readonly counterparty: string | null;
  readonly segment: string | null;
  /** The name of the workflow. Its id is private. */
  readonly workflow: string | null;
  readonly status: string;
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly latency_ms: number;
  readonly latency_bucket: number;
  readonly cost_micros: number | null;
  readonly scope_violated: boolean;
  readonly verified_attestations: number;
  readonly outcome_value_micros: number | null;
  readonly outcome_baseline_micros: number | null;
  readonly outcome_accepted: boolean | null;
}

/** Whether an agent is an identity that was linked with proof, and not a handle of a workspace. */
export const isIdentity = (agent: string): boolean => agent.startsWith('agn_');

/** The facts of a task receipt that was public when it was recorded; null for every other one, forever. */
export function factOf(entry: TaskEntry, hash: string): Fact | null {
  const { task, publication, attestation_checks } = entry.body;
  if (publication === null) return null;
  const { workspace, agent_id, vendor } = publication;
  const { market, agent_handle: handle } = task;
  const [started_ms, ended_ms] = [timeOf(task.started_at), timeOf(task.ended_at)];
  return {
    recorded_ms: timeOf(entry.recorded_at),
    hash,
    workspace,
    seq: entry.seq,
    agent: agent_id ?? `${handle}~${workspace}`,
    handle,
    vendor,
    platform: task.platform,
    capability: market?.capability ?? null,
    sector: market?.sector ?? null,
    counterparty: publicName(market?.counterparty),
    segment: publicName(market?.segment),
    workflow: publicName(market?.workflow?.name),
    status: task.status,
    started_ms,
    ended_ms,
    latency_ms: ended_ms - started_ms,
    latency_bucket: latencyBucket(ended_ms - started_ms),
    cost_micros: costMicros(task.cost_usd),
    scope_violated: (entry.body.scope_violations ?? []).length > 0,
    verified_attestations: attestation_checks.filter(({ state }) => state === 'verified').length,
    ...outcomeOf(market?.outcome),
  };
}

type Outcome = { readonly value_usd: number; readonly baseline_cost_usd?: number; readonly accepted?: boolean };

function outcomeOf(outcome: Outcome | undefined) {
  const baseline = outcome?.baseline_cost_usd;
  return {
    outcome_value_micros: outcome === undefined ? null : toMicros(outcome.value_usd),
    outcome_baseline_micros: baseline === undefined ? null : toMicros(baseline),
    outcome_accepted: outcome?.accepted ?? null,
  };
}
