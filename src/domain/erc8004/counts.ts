import { openFrontier } from '../../verifier/frontier.js';
import type { Fact } from '../market/fact.js';
import type { Latencies } from '../market/latency.js';
import { addCount } from '../market/state/sums.js';

/** The facts of a public receipt that feedback is made of. */
type CountedFact = Pick<Fact, 'recorded_ms' | 'hash' | 'workspace' | 'seq' | 'status' | 'latency_bucket'>;

/** The receipts of an agent in one epoch. */
export interface EpochCounts {
  readonly tasks: number;
  readonly success: number;
  readonly partial: number;
  readonly error: number;
  readonly toolDenied: number;
  readonly policyBlocked: number;
  /** Bucket of the latency → number of tasks that were not refused. */
  readonly latencies: Latencies;
  /** The root (RFC 6962) over the hashes of the receipts in recorded order, in hex. */
  readonly root: string;
  /** The receipts of each workspace. */
  readonly spans: readonly Span[];
}

/** The receipts of one workspace among those of an epoch. */
interface Span {
  /** The tag of the workspace. */
  readonly workspace: string;
  /** The hash of one of the receipts. */
  readonly hash: string;
  /** The positions of the first and the last receipt in the chain of the workspace. */
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly count: number;
}

interface EpochFold {
  /** Adds a receipt. They must come in recorded order, which the root depends on. */
  add(fact: CountedFact): void;
  counts(): EpochCounts;
}

/** Counts the receipts of an epoch. The memory that it needs depends on the workspaces, and not on the receipts. */
export function openEpoch(): EpochFold {
  const tree = openFrontier();
  const statuses = new Map<string, number>();
  const latencies = new Map<number, number>();
  const spans = new Map<string, Span>();
  return {
    add(fact) {
      tree.add(Uint8Array.from(Buffer.from(fact.hash, 'hex')));
      addCount(statuses, fact.status, 1);
      if (!isRefusal(fact.status)) addCount(latencies, fact.latency_bucket, 1);
      spans.set(fact.workspace, spanWith(spans.get(fact.workspace), fact));
    },
    counts: () => ({
      tasks: tree.size(),
      success: statuses.get('success') ?? 0,
      partial: statuses.get('partial') ?? 0,
      error: statuses.get('error') ?? 0,
      toolDenied: statuses.get('tool_denied') ?? 0,
      policyBlocked: statuses.get('policy_blocked') ?? 0,
      latencies,
      root: Buffer.from(tree.root()).toString('hex'),
      spans: [...spans.values()],
    }),
  };
}

const isRefusal = (status: string): boolean => status === 'tool_denied' || status === 'policy_blocked';

function spanWith(before: Span | undefined, { workspace, hash, seq }: CountedFact): Span {
  if (before === undefined) return { workspace, hash, fromSeq: seq, toSeq: seq, count: 1 };
  return {
    ...before,
    fromSeq: Math.min(before.fromSeq, seq),
    toSeq: Math.max(before.toSeq, seq),
    count: before.count + 1,
  };
}
