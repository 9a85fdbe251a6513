import { z } from 'zod';
import { handlePattern } from './agents.js';
import { limits } from './limits.js';
import { instant } from './market.js';
import { type Attestation, fixedPlatforms, isAttestation, taskStatuses } from './task-receipt.js';
import { printableId } from './text.js';

/** Members that only the service assigns. */
export const serverAssigned = [
  'id',
  'hash',
  'prev_hash',
  'scope_violations',
  'erc8004_emitted_at',
  'anchor_tx',
  'ots_proof',
] as const;

const text = z.string();
const hex = (digits: number) =>
  z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`), `must have ${digits} lowercase hex digits`);
const count = z.int().min(0);
/** Ids of the service have this form, so that no caller can choose one. */
const idOfService = /^(rcp|apr)_[0-9a-f]{32}$/;

/** Zod counts UTF-16 code units. */
function hasAtMostCodePoints(text: string, most: number): boolean {
  if (text.length <= most) return true;
  return text.length <= 2 * most && [...text].length <= most;
}

const toolCall = z.object({
  tool: text,
  ok: z.boolean(),
  input_hash: hex(64).exactOptional(),
  output_hash: hex(64).exactOptional(),
  latency_ms: count.exactOptional(),
});

const tokens = z.object({
  input: count.exactOptional(),
  output: count.exactOptional(),
  cache_read: count.exactOptional(),
  cache_write: count.exactOptional(),
});

export const toolCallMembers: ReadonlySet<string> = new Set(Object.keys(toolCall.shape));
export const tokenMembers: ReadonlySet<string> = new Set(Object.keys(tokens.shape));

/**
 * A task receipt as a platform sends it, without the extension `market`. Members that are not named here are accepted
 * and left out. The limits of size (contracts/limits.ts) have been checked before.
 * @param vendorPlatforms the platforms that this installation names besides the fixed ones
 */
export function submittedReceipt(vendorPlatforms: readonly string[]) {
  return z.object({
    receipt_id: printableId.refine((id) => !idOfService.test(id), 'must not have the form of an id of the service'),
    account_id: z.guid('must be a UUID').exactOptional(),
    agent_handle: text.regex(handlePattern, 'must be @ and 2 to 32 characters of a-z, 0-9 and -'),
    platform: z.enum([...fixedPlatforms, ...vendorPlatforms]),
    model: text.exactOptional(),
    session_id: text.exactOptional(),
    parent_session_id: text.exactOptional(),
    trace_id: hex(32).exactOptional(),
    span_id: hex(16).exactOptional(),
    parent_span_id: hex(16).exactOptional(),
    started_at: instant,
    ended_at: instant,
    status: z.enum(taskStatuses),
    task_summary: text
      .refine(
        (summary) => hasAtMostCodePoints(summary, limits.receiptSummaryCharacters),
        `must have at most ${limits.receiptSummaryCharacters} characters`,
      )
      .exactOptional(),
    tool_calls: z.array(toolCall).exactOptional(),
    tokens: tokens.exactOptional(),
    cost_usd: z.number().min(0).exactOptional(),
    declared_scope: z.array(text).exactOptional(),
    attestations: z
      .array(z.custom<Attestation>(isAttestation, 'must be an object with a type, which is a text'))
      .exactOptional(),
  });
}
