import { z } from 'zod';
import { field } from './input.js';
import { moment } from './instant.js';
import { limits } from './limits.js';
import { cursor, listTotal, memory, memorySummary, nextCursor, wholeNumber } from './memory.js';
import { names, namesIncluded, totalAndNamesIncluded } from './names.js';
import { filterText, storableText, withoutPrototype } from './text.js';

const listedMemory = memorySummary
  .extend({
    status: memory.shape.status.optional().describe('Only where the list was requested with a status.'),
  })
  .meta({ id: 'ListedMemory', description: 'A memory as a list shows it.' });

export const memoryList = z
  .object({ data: z.array(listedMemory), next_cursor: nextCursor, total: listTotal.optional(), names })
  .meta({ id: 'MemoryList', description: 'A page of memories; next_cursor is always null for a request with page.' });

/** One memory, with the names of the ids in it. */
export const namedMemory = memory.extend({ names }).meta({ id: 'NamedMemory' });

export const memoryQuery = { include: namesIncluded } as const;

const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');
const ids = z
  .string()
  .transform((text) => text.split(',').map((id) => id.trim().toLowerCase()))
  .pipe(z.array(z.guid('must be namespace ids, comma separated')).min(1).max(limits.namespacesPerFilter));

/** Keys and the texts of their values. */
const metadataFilter = z
  .record(storableText, storableText)
  .refine((given) => Object.keys(given).length <= limits.listMetadataKeys, 'must have at most 16 keys')
  .refine(
    (given) => !Object.keys(given).some((key) => key === '' || key.includes('][')),
    'must be written as metadata[key]=value: a key is no path',
  );

export const memoryListQuery = {
  q: field(
    storableText
      .max(limits.listQueryCharacters)
      .optional()
      .describe(
        'Words that a memory must have, in any inflection, case and spelling of accents. A path, an address or a code is found as it is written, and by the phrase of its words. ' +
          'Operators: "quoted phrases", OR between two words or phrases, and -word or -"phrase" for what must be missing. A query of stop words alone looks for them in the texts, in this order; then a page may be ' +
          'shorter than limit, or empty, while next_cursor leads on.',
      ),
    'invalid_query',
  ),
  namespace_id: field(ids.optional().describe('One id or several, comma separated.'), 'invalid_namespace_ids'),
  user_id: field(filterText.optional(), 'invalid_request'),
  agent_id: field(filterText.optional(), 'invalid_request'),
  app_id: field(filterText.optional(), 'invalid_request'),
  run_id: field(filterText.optional(), 'invalid_request'),
  approved_by: field(
    filterText.optional().describe('Only memories whose write was held until this member approved it.'),
    'invalid_request',
  ),
  source: field(filterText.optional().describe('Only memories with exactly this source.'), 'invalid_source'),
  metadata: field(withoutPrototype.pipe(metadataFilter.optional()), 'invalid_filters', {
    isDeep: true,
    described: metadataFilter
      .optional()
      .describe(
        'metadata[key]=value, for up to 16 keys: only memories that have this text, number or boolean under the key. ' +
          'The key is one of the metadata object itself: metadata[a.b] is the key "a.b" and no path. Numbers are compared digit by digit.',
      ),
  }),
  status: field(
    z
      .enum(['ready', 'pending', 'failed'], 'must be ready, pending or failed')
      .optional()
      .describe('The status of the memories, which they are shown with then; ready without it.'),
    'invalid_request',
  ),
  created_after: field(
    moment.optional().describe('Only memories that were written after this moment.'),
    'invalid_request',
  ),
  created_before: field(
    moment.optional().describe('Only memories that were written before this moment.'),
    'invalid_request',
  ),
  invalidated: field(
    z
      .enum(['only', 'without'], 'must be only or without')
      .optional()
      .describe('only: memories that are not valid any more; without: those that are valid. Both without it.'),
    'invalid_request',
  ),
  playground: field(
    z
      .enum(['only'], 'must be only')
      .optional()
      .describe('only: test memories and no others, with any include_playground.'),
    'invalid_request',
  ),
  include: totalAndNamesIncluded,
  include_playground: field(flag.default(false).describe('Test memories too.'), 'invalid_request'),
  limit: field(wholeNumber.pipe(z.int().min(1).max(limits.listMax)).default(limits.listDefault), 'invalid_request'),
  sort: field(z.enum(['newest'], 'must be newest').optional(), 'invalid_sort'),
  page: field(
    wholeNumber.pipe(z.int().min(1)).optional().describe('From 1, up to offset 10000; not together with cursor.'),
    'invalid_page',
  ),
  cursor,
} as const;
