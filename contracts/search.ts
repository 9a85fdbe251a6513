import { z } from 'zod';
import { searchFilters } from './filters.js';
import { field, listOf } from './input.js';
import { invalidation } from './invalidation.js';
import { limits } from './limits.js';
import { provenance } from './memory.js';
import { filterText, isStorableJson, storableText, withoutPrototype } from './text.js';

const whole = (min: number, max: number) => z.int(`must be a whole number from ${min} to ${max}`).min(min).max(max);

/** The query of a search that was made before. */
export const queryProofIn = {
  query: field(
    storableText.min(1).max(limits.queryCharacters).describe('The query of the search, exactly as it was sent.'),
    'invalid_query',
  ),
} as const;

export const searchIn = {
  query: field(
    storableText
      .min(1)
      .max(limits.queryCharacters)
      .refine((text) => text.trim() !== '', 'must not be blank')
      .describe('Compared as a whole by meaning, and by its words: of more than 32, by the 32 rarest.'),
    'invalid_query',
  ),
  namespace_ids: field(
    z
      .array(z.guid())
      .min(1)
      .max(limits.namespacesPerFilter)
      .optional()
      .describe('Without it, every namespace that the caller can read.'),
    'invalid_namespace_ids',
    { most: listOf(limits.namespacesPerFilter, 'invalid_namespace_ids') },
  ),
  agent_id: field(filterText.optional().describe('Only what this agent wrote.'), 'invalid_agent_id'),
  k: field(
    whole(1, limits.searchMax).default(limits.searchDefault).describe('The maximum number of hits.'),
    'invalid_k',
  ),
  token_budget: field(
    whole(limits.tokenBudgetMin, limits.tokenBudgetMax)
      .default(limits.tokenBudgetDefault)
      .describe('The maximum length of all hits in tokens (o200k). The best hit is always returned.'),
    'invalid_token_budget',
  ),
  filters: field(
    withoutPrototype.pipe(z.record(z.string(), z.unknown()).refine(isStorableJson).optional()),
    'invalid_filters',
    {
      described: searchFilters.optional(),
      most: { values: limits.filterValues, code: 'invalid_filters' },
    },
  ),
} as const;

const arm = (score: string, none: string) =>
  z
    .object({
      rank: z.int().describe('Its place by this score alone; 1 is the best.'),
      score: z.number().min(0).max(1).describe(score),
    })
    .nullable()
    .describe(`Null if ${none}.`);

export const hit = z
  .object({
    memory_id: z.uuid(),
    namespace_id: z.uuid(),
    receipt_id: z.string().describe('The receipt of its write.'),
    receipt_hash: z.string().describe('The hash of that receipt.'),
    content: z.string(),
    truncated: z.boolean().describe('Whether the text was cut to fit the budget.'),
    score: z
      .number()
      .min(0)
      .max(1)
      .describe(
        'How well it fits the query. It means the same in every search, because it is not divided by that of the best hit. filters.min_score is compared with it.',
      ),
    why: z.string().describe('What has found it, as a sentence for people.'),
    signals: z.object({
      dense: arm(
        'The similarity of its text and the query; with a model, of its text together with those around it.',
        'its text is not similar',
      ),
      keyword: arm(
        "The share of the query's words that it has itself. A rare word is a larger share, and so is one that it has often.",
        'it has none of them',
      ),
      neighbours: z
        .object({
          score: z
            .number()
            .min(0)
            .max(1)
            .describe(
              "The share of the query's words that the messages around it lend: those before and after it in the same source or run.",
            ),
        })
        .nullable()
        .describe('Null if they lend nothing.'),
      matched: z
        .array(z.string())
        .describe(
          'The words of the query that it has itself; "lisbao ≈ lisboa" for one that is only spelt like a word of it.',
        ),
    }),
    metadata: z.record(z.string(), z.unknown()),
    source: z.string().nullable(),
    provenance,
    created_at: z.iso.datetime(),
    invalidated: invalidation.optional().describe('Only of an invalidated memory, and only if filters ask for these.'),
  })
  .meta({ id: 'Hit', description: 'A memory that was found.' });

export const searchResult = z
  .object({
    receipt_id: z.string().describe('The receipt of this search.'),
    receipt_hash: z.string(),
    mode: z.enum(['fused', 'keyword', 'dense']).describe('Which arms ran.'),
    degraded: z
      .array(z.enum(['dense_quota', 'dense_unavailable', 'dense_disabled', 'keyword_unavailable', 'reindexing']))
      .describe('Why one did not, or not on all memories.'),
    data: z.array(hit).describe('The best first.'),
    left_out: z
      .object({
        budget: z.int().min(0).describe('Of the best k, those for which token_budget had no room.'),
        invalidated: z
          .int()
          .min(0)
          .describe(
            'Invalidated memories that pass the rest of the filter and have at least .35 of the words of the query, by their rarity, of the newest 200. filters.include_invalidated shows them.',
          ),
      })
      .describe('The matches that are not in data.'),
    tokens_used: z.int(),
    token_budget: z.int(),
  })
  .meta({ id: 'MemorySearchResult' });
