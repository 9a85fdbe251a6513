import { canonical } from '../../verifier/canonical.js';
import { keccak256 } from '../ethereum/keccak.js';
import { quantile } from '../market/latency.js';
import { divideHalfEven } from '../market/numbers/exact.js';
import { rate } from '../market/numbers/figure.js';
import type { EpochCounts } from './counts.js';

/** The decimals of the value, and the words under which feedback is given. */
export const valueDecimals = 4;
export const [tag1, tag2] = ['successRate', 'counterfoil'] as const;

/** The contents of the file of a feedback, apart from its counts. */
export interface FeedbackHead {
  readonly agnId: string;
  readonly epoch: string;
  /** The time in which the receipts were recorded, half-open. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly chainId: number;
  /** The identity registry, as `0x` and 40 lowercase hex digits. */
  readonly registry: string;
  /** The number of the agent in that registry, in decimal digits. */
  readonly agentId: string;
  /** The account that gives the feedback, as `0x` and 40 lowercase hex digits. */
  readonly client: string;
  /** The first checkpoint that covers all the receipts, and when it was signed. */
  readonly checkpoint: string;
  readonly createdAt: string;
}

interface Feedback {
  readonly value: number;
  /** The file, in canonical form (RFC 8785). */
  readonly bytes: Uint8Array;
  /** The Keccak-256 of the bytes, in hex with `0x`. */
  readonly hash: string;
}

/** The feedback about an agent for one epoch, which has at least one receipt. */
export function feedbackOf(head: FeedbackHead, counts: EpochCounts): Feedback {
  const value = successValue(counts);
  const bytes = Buffer.from(canonical(fileOf(head, counts, value)), 'utf8');
  return { value, bytes, hash: keccak256(bytes) };
}

/** Successes among all tasks, in units of the last decimal, rounded half to even. Refusals count as tasks here. */
export function successValue({ success, tasks }: Pick<EpochCounts, 'success' | 'tasks'>): number {
  return Number(divideHalfEven(10n ** BigInt(valueDecimals) * BigInt(success), BigInt(tasks)));
}

function fileOf(head: FeedbackHead, counts: EpochCounts, value: number) {
  const { tasks, success, partial, error, toolDenied, policyBlocked, latencies, root } = counts;
  const refused = toolDenied + policyBlocked;
  return {
    schema: 'counterfoil-feedback/1',
    agentRegistry: `eip155:${head.chainId}:${head.registry}`,
    agentId: numberOf(head.agentId),
    clientAddress: `eip155:${head.chainId}:${head.client}`,
    createdAt: head.createdAt,
    value,
    valueDecimals,
    tag1,
    tag2,
    agn_id: head.agnId,
    epoch: head.epoch,
    from: new Date(head.fromMs).toISOString(),
    to: new Date(head.toMs).toISOString(),
    counts: { tasks, success, partial, error, refused, tool_denied: toolDenied, policy_blocked: policyBlocked },
    success_rate: rate(success, success + partial + error)?.toNumber() ?? null,
    refusal_rate: rate(refused, tasks)?.toNumber() ?? null,
    latency_p50_ms: quantile(latencies, 50),
    latency_p95_ms: quantile(latencies, 95),
    root,
    checkpoint: head.checkpoint,
  };
}

/** As files of ERC-8004 write it. A number that JSON cannot hold exactly is a text. */
function numberOf(digits: string): number | string {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : digits;
}
