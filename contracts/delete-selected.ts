import { z } from 'zod';
import { bulkDeleted } from './approvals.js';
import { memoryFilters } from './filters.js';
import { field } from './input.js';
import { limits } from './limits.js';
import { cursor, memorySummary, nextCursor, wholeNumber } from './memory.js';
import { names, namesIncluded } from './names.js';
import { namespaceIds } from './namespace-ids.js';
import { filterText, isStorableJson, storableText, withoutPrototype } from './text.js';

export const deleteSelectedIn = {
  namespace_ids: namespaceIds,
  agent_id: field(filterText.optional().describe('Only what this agent wrote.'), 'invalid_request'),
  status: field(
    z.enum(['ready', 'pending', 'failed'], 'must be ready, pending or failed').optional().describe('Any without it.'),
    'invalid_request',
  ),
  filters: field(
    withoutPrototype.pipe(z.record(z.string(), z.unknown()).refine(isStorableJson).optional()),
    'invalid_filters',
    {
      described: memoryFilters
        .optional()
        .describe(
          'As in a search, without min_score and neighbours. Invalidated memories are always selected, test memories only with include_playground.',
        ),
      most: { values: limits.filterValues, code: 'invalid_filters' },
    },
  ),
  approval_receipt_id: field(
    storableText.max(limits.idCharacters).optional().describe('The receipt of the decision that allows it.'),
    'invalid_request',
  ),
} as const;

export const selectedDeleted = bulkDeleted
  .extend({
    left: z
      .int()
      .describe('How many of the selected memories were not dealt with yet: repeat the request until it is 0.'),
  })
  .meta({ id: 'SelectedDeleted', description: 'The memories that one call of a delete by a filter has deleted.' });

export const selectedQuery = {
  include: namesIncluded,
  limit: field(wholeNumber.pipe(z.int().min(1).max(limits.listMax)).default(limits.listDefault), 'invalid_request'),
  cursor,
} as const;

export const approvalMemories = z
  .object({
    filter: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The fields of a delete by a filter; null for a delete by ids.'),
    ids: z
      .array(z.uuid())
      .exactOptional()
      .describe('Only of a delete by ids: all of them, with which the request is sent again once it is approved.'),
    count: z.int().describe('How many memories were selected, or ids were sent, when the request was filed.'),
    left: z.int().describe('How many of them were not dealt with yet.'),
    data: z.array(memorySummary).describe('Those of the page that still exist and that the caller reaches.'),
    next_cursor: nextCursor,
    names,
  })
  .meta({ id: 'ApprovalMemories', description: 'What a bulk delete would delete, until the approval ends.' });
