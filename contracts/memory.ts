import { z } from 'zod';
import { assumed } from './assumed.js';
import { field, type Most } from './input.js';
import { invalidation } from './invalidation.js';
import { limits } from './limits.js';
import { provenance } from './provenance.js';
import { shortName } from './short-name.js';
import { similarMemories } from './similar.js';
import { hasText, isStorableJson, storableText } from './text.js';

/** Shapes of the memory routes, as the interface names them. Beside each schema is the code that a wrong field gets. */
export { provenance, shortName };

const stages = ['queued', 'extracting', 'chunking', 'embedding', 'indexing', 'done', 'failed'] as const;
export type Stage = (typeof stages)[number];

const dateTime = z.iso.datetime();
const metadata = z.record(z.string(), z.unknown());
export const nextCursor = z
  .string()
  .nullable()
  .describe('What to send as cursor for the next page; null on the last one.');
const receiptOf = (what: string) => z.string().describe(`The receipt of ${what}.`);

export const memory = z
  .object({
    id: z.uuid(),
    namespace_id: z.uuid(),
    content: z.string().describe('The text as it is stored, sensitive values redacted.'),
    content_hash: z.string().describe('SHA-256 of the stored text in UTF-8, lowercase hex.'),
    metadata: metadata.describe('As it was sent: the order of keys and the spelling of numbers are kept.'),
    source: z.string().nullable().describe('The origin of the memory, as its writer has stated it.'),
    provenance,
    playground: z.boolean().describe('A test memory, which lists and searches leave out unless they are asked.'),
    status: z.enum(['pending', 'ready', 'failed']).describe('ready: it can be listed and searched.'),
    receipt_id: z.string().nullable().describe('The receipt of the write.'),
    invalidated: invalidation.nullable().describe('Null for a memory that is valid.'),
    assumed: assumed.optional(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Memory', description: 'One memory, whole.' });

export const memorySummary = memory
  .omit({ content: true, status: true })
  .extend({
    excerpt: z.string().describe('The first 280 characters of the text, with … behind them when there are more.'),
    metadata: metadata.describe('Its first 20 keys.'),
    metadata_key_count: z.int().describe('How many keys there are in all.'),
    metadata_truncated: z.boolean().describe('Whether there are more keys than are shown.'),
  })
  .meta({ id: 'MemorySummary', description: 'A memory as lists show it.' });

export const memoryAccepted = z
  .object({
    job_id: z
      .uuid()
      .describe('The job that makes the memory searchable: done at once if the memory was indexed with its write.'),
    memory_id: z.uuid(),
    receipt_id: z.string().describe('The receipt of the write; of a duplicate, of the write that it repeats.'),
    receipt_hash: z.string().describe('Its hash, as the ledger has it.'),
    duplicate: z.boolean().describe('The same text exists in this namespace already: nothing was written.'),
    stage: z.enum(stages).describe('How far the job is.'),
    invalidated: z
      .literal(true)
      .optional()
      .describe('Only of a duplicate of an invalidated memory: it stays invalidated, and searches leave it out.'),
    ignored: z
      .array(z.enum(['metadata', 'source', 'playground']))
      .optional()
      .describe(
        'Only of a duplicate: the members of the request that differ from those of the memory, which stays as it is.',
      ),
    assumed: assumed.optional(),
    redacted: z
      .record(z.string(), z.int().min(1))
      .optional()
      .describe(
        'How many sensitive values of each kind are [redacted] in what is stored: email, phone, card, iban, token, private_key. Absent when none is.',
      ),
    promotion_receipt_id: z
      .string()
      .optional()
      .describe(
        'Only if the text was a test memory and was written as a real one: the memory is a real one now, and this is the receipt of that change.',
      ),
    similar: similarMemories.optional(),
  })
  .meta({ id: 'MemoryAccepted', description: 'An accepted write, with its job.' });

export const memoryDeleted = z
  .object({ id: z.uuid(), deleted: z.literal(true), receipt_id: receiptOf('the delete') })
  .meta({ id: 'MemoryDeleted', description: 'A deleted memory.' });
export type MemoryDeleted = z.output<typeof memoryDeleted>;

export const memoryExport = z
  .object({
    format: z.literal('service-memories/1'),
    data: z.array(
      memory
        .extend({ namespace: z.object({ id: z.uuid(), name: z.string() }) })
        .meta({ id: 'ExportedMemory', description: 'A memory, and the name of its namespace.' }),
    ),
    next_cursor: nextCursor,
  })
  .meta({ id: 'MemoryExport', description: 'A page of an export, at most about 8 MiB.' });

export const ingestJob = z
  .object({
    job_id: z.uuid(),
    memory_id: z.uuid(),
    namespace_id: z.uuid(),
    stage: z.enum(stages),
    stage_timestamps: z.record(z.string(), dateTime).describe('Each stage and when it was first entered.'),
    failed_stage: z.string().nullable().describe('The stage in which it failed.'),
    failure_reason: z.string().nullable().describe('A sentence for people.'),
    attempts: z.int().describe('How often the stage was tried.'),
    created_at: dateTime,
    updated_at: dateTime,
    stalled: z.boolean().describe('Not finished more than 4 hours after it was queued.'),
    terminal: z.boolean().describe('Done or failed: nothing more happens without a retry.'),
    assumed: assumed.optional(),
    poll_after_ms: z.int().nullable().describe('How long to wait before asking again; null when terminal or stalled.'),
  })
  .meta({ id: 'IngestJob', description: 'The job that makes a memory searchable, and its stage.' });

export const ingestList = z
  .object({
    data: z.array(
      ingestJob
        .extend({
          source: z.string().nullable(),
          label: z
            .string()
            .describe(
              'The name of the file, the URL, or how the text begins. Empty when the stored text is not the one that was written.',
            ),
        })
        .meta({ id: 'ListedJob', description: 'A job as the list shows it.' }),
    ),
    next_cursor: nextCursor,
  })
  .meta({ id: 'IngestJobList' });

export const namespace = z
  .object({
    id: z.uuid(),
    name: z.string().min(1).max(64),
    is_default: z.boolean().describe('Whether writes that name no namespace go here.'),
    created_at: dateTime,
    updated_at: dateTime,
    memory_count: z.int().optional().describe('With include=stats.'),
    last_activity_at: dateTime.nullable().optional().describe('With include=stats.'),
  })
  .meta({ id: 'Namespace', description: 'A part of the workspace. Keys can be limited to namespaces.' });

export const namespaceList = z
  .object({ data: z.array(namespace), next_cursor: nextCursor })
  .meta({ id: 'NamespaceList' });

export const namespaceDeleted = z
  .object({
    id: z.uuid(),
    deleted: z.literal(true),
    moved_to: z.uuid().nullable().describe('The namespace that has received the memories.'),
    moved: z.int().describe('How many memories were moved.'),
  })
  .meta({ id: 'NamespaceDeleted' });
export type NamespaceDeleted = z.output<typeof namespaceDeleted>;

export const namespaceIn = { name: field(shortName, 'invalid_name') } as const;

/** In the query or in the body. */
export const namespaceDeleteIn = {
  move_to: field(
    storableText.min(1).optional().describe('The namespace that receives the memories first: an id or a name.'),
    'invalid_move_to',
  ),
} as const;

const object = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && isStorableJson(value),
    'must be a JSON object of valid Unicode without NUL',
  )
  // What a function checks has to be said in words.
  .meta({ type: 'object', additionalProperties: true, description: 'At most 64 KiB of JSON, stored as it was sent.' });

/** There are at most half as many values as bytes: each one but the first needs a comma, a bracket or a brace. */
const mostMetadata: Most = {
  values: limits.metadataBytes / 2,
  code: 'metadata_too_large',
  bytes: limits.metadataBytes,
};

/** The body of an add. Sizes are refused after types, with codes of their own. */
export const memoryIn = {
  content: field(
    storableText
      .min(1)
      // One fault for each wrong text: an empty one has been refused already.
      .refine((text) => text === '' || hasText(text), 'must have a character that can be seen')
      .describe('The text: at most 1 MiB of UTF-8.'),
    'invalid_content',
  ),
  metadata: field(object.optional(), 'invalid_metadata', { most: mostMetadata }),
  source: field(storableText.nullish().describe('The origin of the text, in any words.'), 'invalid_source'),
  namespace: field(
    storableText.optional().describe('An id or a name; without it, the default namespace.'),
    'invalid_namespace',
  ),
  playground: field(z.boolean().optional().describe('A test memory.'), 'invalid_request'),
  approval_id: field(
    storableText.max(limits.idCharacters).optional().describe('The approval of an earlier attempt at this write.'),
    'invalid_request',
  ),
} as const;

export const ingestIn = {
  kind: field(
    z.enum(['text', 'file', 'url'], 'must be text, file or url').describe('Which of the fields below are read.'),
    'invalid_kind',
  ),
  ...memoryIn,
  // The handler of each kind checks which of these it needs; here only their types are checked.
  content: field(storableText.min(1).optional().describe('Of a text: at most 1 MiB.'), 'invalid_content'),
  source: field(
    memoryIn.source.schema.describe('Of a text: import:file for a part of a file, anything else becomes import:text.'),
    'invalid_source',
  ),
  filename: field(
    storableText.min(1).max(limits.filenameCharacters).optional().describe('Of a file: its name.'),
    'invalid_file',
  ),
  content_type: field(storableText.max(255).nullish().describe('Of a file: its media type.'), 'invalid_file'),
  data_base64: field(z.string().optional().describe('Of a file: its bytes in base64, at most 5 MiB.'), 'invalid_file'),
  url: field(
    z.string().max(limits.urlCharacters).optional().describe('Of a page: its http or https address.'),
    'invalid_url',
  ),
} as const;

export const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number);
export const listTotal = z
  .object({
    value: z.int().describe('How many memories there are: exact up to 10,000, and up to 1,000 with q.'),
    relation: z.enum(['eq', 'gte']).describe('gte: there are at least as many as value says.'),
  })
  .meta({ id: 'ListTotal', description: 'With include=total: the number of memories in all pages.' });

export const totalIncluded = field(
  z.literal('total', 'must be total').optional().describe('total: how many memories there are in all pages.'),
  'invalid_request',
);

/** Of every list that has pages. */
export const cursor = field(z.string().optional().describe('next_cursor of the previous page.'), 'invalid_cursor');

export const exportQuery = {
  limit: field(wholeNumber.pipe(z.int().min(1).max(limits.exportMax)).default(limits.exportDefault), 'invalid_request'),
  cursor,
} as const;

export const ingestListQuery = {
  stage: field(
    z
      .string()
      .transform((text) => text.split(',').map((stage) => stage.trim()))
      .pipe(z.array(z.enum(stages)))
      .optional()
      .describe('Only jobs in these stages, comma separated.'),
    'invalid_stage',
  ),
  limit: field(wholeNumber.pipe(z.int().min(1).max(limits.listMax)).default(limits.listDefault), 'invalid_request'),
  cursor,
} as const;

export const namespaceListQuery = {
  include: field(
    z
      .enum(['stats'], 'must be stats')
      .optional()
      .describe('stats: how many memories there are, and the last activity.'),
    'invalid_request',
  ),
  limit: field(
    wholeNumber.pipe(z.int().min(1).max(limits.namespacesPerPage)).default(limits.namespacesPerPage),
    'invalid_request',
  ),
  cursor,
} as const;
