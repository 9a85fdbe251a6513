import { z } from 'zod';
import { field } from './input.js';
import { limits } from './limits.js';
import { provenance } from './memory.js';
import { isStorableJson, storableText } from './text.js';

const whole = (min: number, max: number) => z.int(`must be a whole number from ${min} to ${max}`).min(min).max(max);

export const searchIn = {
  query: field(
    storableText
      .min(1)
      .max(limits.queryCharacters)
      .refine((text) => text.trim() !== '', 'must not be blank'),
    'invalid_query',
  ),
  namespace_ids: field(z.array(z.guid()).min(1).max(limits.namespacesPerFilter).optional(), 'invalid_namespace_ids'),
  agent_id: field(storableText.optional(), 'invalid_agent_id'),
  k: field(whole(1, limits.searchMax).default(limits.searchDefault), 'invalid_k'),
  token_budget: field(
    whole(limits.tokenBudgetMin, limits.tokenBudgetMax).default(limits.tokenBudgetDefault),
    'invalid_token_budget',
  ),
  filters: field(z.record(z.string(), z.unknown()).refine(isStorableJson).optional(), 'invalid_filters'),
} as const;

const arm = z.object({ rank: z.int(), score: z.number() }).nullable();

export const hit = z.object({
  memory_id: z.uuid(),
  namespace_id: z.uuid(),
  receipt_id: z.string(),
  receipt_hash: z.string(),
  content: z.string(),
  truncated: z.boolean(),
  score: z.number().min(0).max(1),
  why: z.string(),
  signals: z.object({
    dense: arm,
    keyword: arm,
    neighbours: z.object({ score: z.number() }).nullable(),
    matched: z.array(z.string()),
  }),
  metadata: z.record(z.string(), z.unknown()),
  source: z.string().nullable(),
  provenance,
  created_at: z.iso.datetime(),
});

export const searchResult = z.object({
  receipt_id: z.string(),
  receipt_hash: z.string(),
  mode: z.enum(['fused', 'keyword', 'dense']),
  degraded: z.array(
    z.enum(['dense_quota', 'dense_unavailable', 'dense_disabled', 'keyword_unavailable', 'reindexing']),
  ),
  data: z.array(hit),
  tokens_used: z.int(),
  token_budget: z.int(),
});
