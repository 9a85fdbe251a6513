import { z } from 'zod';
import { field } from './input.js';
import { limits } from './limits.js';
import { isStorableJson, storableText } from './text.js';

/** Shapes of the memory routes, as the interface names them. Which code a wrong field gives stands beside the schema. */
export const provenance = z.object({
  user_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  app_id: z.string().nullable(),
  run_id: z.string().nullable(),
});

export const stages = ['queued', 'extracting', 'chunking', 'embedding', 'indexing', 'done', 'failed'] as const;
export type Stage = (typeof stages)[number];

const dateTime = z.iso.datetime();
const metadata = z.record(z.string(), z.unknown());

export const memory = z.object({
  id: z.uuid(),
  namespace_id: z.uuid(),
  content: z.string(),
  content_hash: z.string(),
  metadata,
  source: z.string().nullable(),
  provenance,
  playground: z.boolean(),
  status: z.enum(['pending', 'ready', 'failed']),
  receipt_id: z.string().nullable(),
  created_at: dateTime,
  updated_at: dateTime,
});

export const memorySummary = memory.omit({ content: true, status: true }).extend({
  excerpt: z.string(),
  metadata_key_count: z.int(),
  metadata_truncated: z.boolean(),
});

export const memoryList = z.object({ data: z.array(memorySummary), next_cursor: z.string().nullable() });

export const memoryAccepted = z.object({
  job_id: z.uuid(),
  memory_id: z.uuid(),
  duplicate: z.boolean(),
  stage: z.enum(stages),
});

export const memoryDeleted = z.object({ id: z.uuid(), deleted: z.literal(true), receipt_id: z.string() });

export const memoryExport = z.object({
  format: z.literal('service-memories/1'),
  data: z.array(memory.extend({ namespace: z.object({ id: z.uuid(), name: z.string() }) })),
  next_cursor: z.string().nullable(),
});

export const ingestJob = z.object({
  job_id: z.uuid(),
  memory_id: z.uuid(),
  namespace_id: z.uuid(),
  stage: z.enum(stages),
  stage_timestamps: z.record(z.string(), dateTime),
  failed_stage: z.string().nullable(),
  failure_reason: z.string().nullable(),
  attempts: z.int(),
  created_at: dateTime,
  updated_at: dateTime,
  stalled: z.boolean(),
  terminal: z.boolean(),
  poll_after_ms: z.int().nullable(),
});

export const ingestList = z.object({
  data: z.array(ingestJob.extend({ source: z.string().nullable(), label: z.string() })),
  next_cursor: z.string().nullable(),
});

export const namespace = z.object({
  id: z.uuid(),
  name: z.string().min(1).max(64),
  is_default: z.boolean(),
  created_at: dateTime,
  updated_at: dateTime,
  memory_count: z.int().optional(),
  last_activity_at: dateTime.nullable().optional(),
});

export const namespaceList = z.object({ data: z.array(namespace), next_cursor: z.string().nullable() });

export const namespaceDeleted = z.object({
  id: z.uuid(),
  deleted: z.literal(true),
  moved_to: z.uuid().nullable(),
  moved: z.int(),
});

/** Spaces around a name are not part of it. Characters are code points. */
export const shortName = storableText
  .transform((name) => name.trim())
  .refine((name) => name.length > 0 && [...name].length <= limits.nameCharacters, 'must have 1 to 64 characters')
  .refine((name) => !/\p{Cc}/u.test(name), 'must have no control characters');

export const namespaceIn = { name: field(shortName, 'invalid_name') } as const;

/** In the query or in the body. */
export const namespaceDeleteIn = { move_to: field(storableText.min(1).optional(), 'invalid_move_to') } as const;

const object = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && isStorableJson(value),
  'must be a JSON object of valid Unicode without NUL',
);

/** The body of an add. Sizes are refused after types, with codes of their own. */
export const memoryIn = {
  content: field(storableText.min(1), 'invalid_content'),
  metadata: field(object.optional(), 'invalid_metadata'),
  source: field(storableText.nullish(), 'invalid_source'),
  namespace: field(storableText.optional(), 'invalid_namespace'),
  playground: field(z.boolean().optional(), 'invalid_request'),
  approval_id: field(storableText.max(limits.idCharacters).optional(), 'invalid_request'),
} as const;

export const ingestIn = {
  kind: field(z.enum(['text', 'file', 'url'], 'must be text, file or url'), 'invalid_kind'),
  ...memoryIn,
  // Which of these a kind needs is for whoever reads that kind; here they are only of the right type.
  content: field(memoryIn.content.schema.optional(), 'invalid_content'),
  filename: field(storableText.min(1).max(limits.filenameCharacters).optional(), 'invalid_file'),
  content_type: field(storableText.max(255).nullish(), 'invalid_file'),
  data_base64: field(z.string().optional(), 'invalid_file'),
  url: field(z.string().max(limits.urlCharacters).optional(), 'invalid_url'),
} as const;

const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');
export const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number);
const ids = z
  .string()
  .transform((text) => text.split(',').map((id) => id.trim().toLowerCase()))
  .pipe(z.array(z.guid('must be namespace ids, comma separated')).min(1).max(limits.namespacesPerFilter));

export const memoryListQuery = {
  q: field(storableText.max(limits.listQueryCharacters).optional(), 'invalid_query'),
  namespace_id: field(ids.optional(), 'invalid_namespace_ids'),
  user_id: field(storableText.optional(), 'invalid_request'),
  agent_id: field(storableText.optional(), 'invalid_request'),
  app_id: field(storableText.optional(), 'invalid_request'),
  run_id: field(storableText.optional(), 'invalid_request'),
  include_playground: field(flag.default(false), 'invalid_request'),
  limit: field(wholeNumber.pipe(z.int().min(1).max(limits.listMax)).default(limits.listDefault), 'invalid_request'),
  sort: field(z.enum(['newest'], 'must be newest').optional(), 'invalid_sort'),
  page: field(wholeNumber.pipe(z.int().min(1)).optional(), 'invalid_page'),
  cursor: field(z.string().optional(), 'invalid_cursor'),
} as const;

export const exportQuery = {
  limit: field(wholeNumber.pipe(z.int().min(1).max(limits.exportMax)).default(limits.exportDefault), 'invalid_request'),
  cursor: field(z.string().optional(), 'invalid_cursor'),
} as const;

export const ingestListQuery = {
  stage: field(
    z
      .string()
      .transform((text) => text.split(',').map((stage) => stage.trim()))
      .pipe(z.array(z.enum(stages)))
      .optional(),
    'invalid_stage',
  ),
  limit: field(wholeNumber.pipe(z.int().min(1).max(limits.listMax)).default(limits.listDefault), 'invalid_request'),
  cursor: field(z.string().optional(), 'invalid_cursor'),
} as const;

export const namespaceListQuery = {
  include: field(z.enum(['stats'], 'must be stats').optional(), 'invalid_request'),
  limit: field(
    wholeNumber.pipe(z.int().min(1).max(limits.namespacesPerPage)).default(limits.namespacesPerPage),
    'invalid_request',
  ),
  cursor: field(z.string().optional(), 'invalid_cursor'),
} as const;
