import { z } from 'zod';
import { market } from './market.js';

const text = z.string();
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

export const taskStatuses = ['success', 'partial', 'error', 'tool_denied', 'policy_blocked'] as const;

/** The platforms of every installation. */
export const fixedPlatforms = ['custom', 'gateway', 'mcp', 'browser', 'sdk', 'webhook', 'otel', 'casb'] as const;

/** The other platforms, unless the installation names them. */
export const defaultVendorPlatforms: readonly string[] = [1, 2, 3, 4, 5, 6].map((n) => `vendor_platform_${n}`);

/** A statement about a receipt, such as a signature. Its other members depend on its type. */
export interface Attestation {
  readonly type: string;
  readonly [member: string]: unknown;
}

export function isAttestation(value: unknown): value is Attestation {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

const toolCall = z
  .strictObject({
    tool: text,
    ok: z.boolean(),
    input_hash: hash.exactOptional(),
    output_hash: hash.exactOptional(),
    latency_ms: count.exactOptional(),
  })
  .readonly();

const tokens = z
  .strictObject({
    input: count.exactOptional(),
    output: count.exactOptional(),
    cache_read: count.exactOptional(),
    cache_write: count.exactOptional(),
  })
  .readonly();

/**
 * The members of a task receipt that its schema names, without `task_summary`, as an entry holds them. What a platform
 * may send is in contracts/submitted-receipt.ts.
 */
const namedShape = z.strictObject({
  receipt_id: text,
  account_id: text.exactOptional(),
  agent_handle: text,
  platform: text,
  model: text.exactOptional(),
  session_id: text.exactOptional(),
  parent_session_id: text.exactOptional(),
  trace_id: text.exactOptional(),
  span_id: text.exactOptional(),
  parent_span_id: text.exactOptional(),
  started_at: text,
  ended_at: text,
  status: z.enum(taskStatuses),
  tool_calls: z.array(toolCall).readonly().exactOptional(),
  tokens: tokens.exactOptional(),
  cost_usd: z.number().min(0).exactOptional(),
  declared_scope: z.array(text).readonly().exactOptional(),
  // The value itself and no copy, which would lose a member with the name `__proto__`.
  attestations: z.array(z.custom<Attestation>(isAttestation)).readonly().exactOptional(),
  market: market.exactOptional(),
});
export const namedTask = namedShape.readonly();
export type NamedTask = z.output<typeof namedTask>;

export const namedMembers: ReadonlySet<string> = new Set(Object.keys(namedShape.shape));
