import { Refusal } from '../../../contracts/errors.js';
import type { InputOf } from '../../../contracts/input.js';
import { limits } from '../../../contracts/limits.js';
import {
  exportQuery,
  memory,
  memoryAccepted,
  memoryDeleted,
  memoryExport,
  memoryIn,
  memoryList,
  memoryListQuery,
} from '../../../contracts/memory.js';
import { exportMemories, memoryById } from '../../../projections/memory/queries.js';
import { addMemory, type NewMemory } from '../../commands/add-memory.js';
import { deleteMemory } from '../../commands/delete-memory.js';
import { type Answer, answering, once, type RequestKey } from '../../commands/once.js';
import { type Caller, reaches, readableNamespaces } from '../../domain/caller.js';
import { withoutLongNegations } from '../../domain/web-query.js';
import { isUuid, lastOf } from '../input.js';
import { endpoint, type Services } from '../operation.js';
import { memoryShape, summaryShape } from '../shapes.js';
import { listPage } from './list-page.js';

export const listEndpoint = endpoint({
  method: 'GET',
  path: '/v1/memories',
  summary: 'Ready memories, newest first',
  access: 'memory.read',
  query: memoryListQuery,
  body: {},
  answers: { 200: memoryList },
  refusals: [
    'invalid_query',
    'invalid_namespace_ids',
    'invalid_sort',
    'invalid_pagination',
    'invalid_page',
    'use_cursor_pagination',
    'invalid_cursor',
    'invalid_request',
    'namespace_out_of_scope',
    'namespace_not_found',
  ],
  async handle({ caller, query }, { read, cursors, searched, vault }) {
    const { cursor, page, limit, include_playground: includePlayground } = query;
    const q = query.q === undefined ? undefined : withoutLongNegations(query.q);
    if (cursor !== undefined && page !== undefined) throw new Refusal('invalid_pagination');
    const offset = page === undefined ? 0 : (page - 1) * limit;
    if (offset > limits.listOffset) throw new Refusal('use_cursor_pagination');
    const { user_id, agent_id, app_id, run_id } = query;
    const namespaceIds = readableNamespaces(caller, query.namespace_id);
    const filter = { namespaceIds, user_id, agent_id, app_id, run_id, includePlayground };
    const bound = [caller.workspaceId, query.namespace_id, q, user_id, agent_id, app_id, run_id, includePlayground];
    const before = cursor === undefined ? null : cursors.open('memories', bound, cursor);
    const place = { before, offset, limit };
    const { rows, end } = await read((tx) => listPage(tx, searched, caller.workspaceId, q, filter, place));
    const shown = await vault.summaries(read, rows);
    return {
      status: 200,
      body: {
        data: shown.map(summaryShape),
        next_cursor: page === undefined && end !== null ? cursors.seal('memories', bound, end) : null,
      },
    };
  },
});

/** Of whatever becomes a memory, once its fields are right. */
export const refusalsOfWrites = [
  'namespace_required',
  'namespace_not_found',
  'namespace_deleted',
  'namespace_out_of_scope',
  'tenant_paused',
  'approval_required',
  'approval_invalid',
  'approval_unavailable',
  'plan_action_limit',
  'plan_memory_limit',
  'meter_unavailable',
  'content_rejected',
  'receipt_unavailable',
] as const;

export const addEndpoint = endpoint({
  method: 'POST',
  path: '/v1/memories',
  summary: 'Write a memory',
  access: 'memory.write',
  counted: 'write',
  query: {},
  body: memoryIn,
  answers: { 200: memoryAccepted, 202: memoryAccepted },
  refusals: [
    'invalid_json',
    'invalid_content',
    'invalid_metadata',
    'invalid_source',
    'invalid_namespace',
    'invalid_request',
    'content_too_large',
    'metadata_too_large',
    ...refusalsOfWrites,
  ],
  async handle({ caller, body, texts, once }, services) {
    return admit(services, caller, once, await newMemory(services, body, texts, body.source ?? null));
  },
});

/**
 * A checked body as a new memory, redacted before anything hashes it, stores it or waits with it. The mark can be longer
 * than what it replaces, so both what was sent and what is stored must keep to the limits.
 * @throws Refusal content_too_large, metadata_too_large, rate_limited
 */
export async function newMemory(
  { redact }: Services,
  body: Omit<InputOf<typeof memoryIn>, 'source'>,
  texts: ReadonlyMap<string, string>,
  source: string | null,
  label: string | null = null,
): Promise<NewMemory> {
  const { namespace, playground = false } = body;
  const sent = { content: body.content, metadata: texts.get('metadata') ?? '{}' };
  checkSizes(sent.content, sent.metadata);
  const { content, metadata, source: from, label: named, found } = await redact({ ...sent, source, label });
  checkSizes(content, metadata);
  const stored = { content, metadata, source: from, label: named, sensitive: found };
  return { ...stored, namespace, playground, approvalId: body.approval_id };
}

/** @throws Refusal content_too_large, metadata_too_large */
export function checkSizes(content: string, metadata: string): void {
  checkSize('content_too_large', content, limits.contentBytes);
  checkSize('metadata_too_large', metadata, limits.metadataBytes);
}

function checkSize(code: 'content_too_large' | 'metadata_too_large', text: string, limit: number): void {
  const size = Buffer.byteLength(text);
  if (size > limit) throw new Refusal(code, undefined, { limit_bytes: limit, size_bytes: size });
}

/** Runs the write and tells the pipeline. 202 for a new memory, 200 for one that is already there. */
export async function admit(
  { run, world, wakePipeline }: Services,
  caller: Caller,
  request: RequestKey,
  newcomer: NewMemory,
): Promise<Answer> {
  const command = answering(addMemory(world, caller, newcomer), (accepted) => ({
    status: accepted.duplicate ? 200 : 202,
    body: accepted,
  }));
  const answer = await run(caller.workspaceId, once(command, request));
  if (answer.status === 202) wakePipeline();
  return answer;
}

export const getEndpoint = endpoint({
  method: 'GET',
  path: '/v1/memories/:memory_id',
  summary: 'One memory with its complete content',
  access: 'memory.read',
  query: {},
  body: {},
  answers: { 200: memory },
  refusals: ['memory_not_found', 'memory_out_of_scope'],
  async handle({ caller, params }, { read, vault }) {
    const id = params.memory_id ?? '';
    const row = isUuid(id) ? await read((tx) => memoryById(tx, caller.workspaceId, id)) : undefined;
    if (!row) throw new Refusal('memory_not_found');
    if (!reaches(caller, row.namespace_id)) throw new Refusal('memory_out_of_scope');
    return { status: 200, body: memoryShape(await vault.requireGenuine(row)) };
  },
});

export const deleteEndpoint = endpoint({
  method: 'DELETE',
  path: '/v1/memories/:memory_id',
  summary: 'Delete a memory and everything that could reveal it',
  access: 'memory.write',
  counted: 'write',
  query: {},
  body: {},
  answers: { 200: memoryDeleted },
  refusals: ['memory_not_found', 'memory_out_of_scope', 'receipt_unavailable'],
  async handle({ caller, params }, { run, world, removed }) {
    const id = (params.memory_id ?? '').toLowerCase();
    if (!isUuid(id)) throw new Refusal('memory_not_found');
    const body = await run(caller.workspaceId, deleteMemory(world, caller, id));
    await removed([id]);
    return { status: 200, body };
  },
});

export const exportEndpoint = endpoint({
  method: 'GET',
  path: '/v1/memories/export',
  summary: 'Every memory, ready or not, in pages',
  access: 'export memories',
  query: exportQuery,
  body: {},
  answers: { 200: memoryExport },
  refusals: ['admin_required', 'invalid_cursor', 'invalid_request'],
  async handle({ caller, query }, { read, cursors, vault }) {
    const namespaceIds = readableNamespaces(caller, undefined);
    const bound = [caller.workspaceId];
    const after = query.cursor === undefined ? null : cursors.open('export', bound, query.cursor);
    const { workspaceId } = caller;
    const { rows, more } = await read(async (tx) => {
      const page = await exportMemories(tx, workspaceId, namespaceIds, after, query.limit, limits.exportPageBytes);
      const last = lastOf(page)?.id ?? null;
      const rest = last === null ? [] : await exportMemories(tx, workspaceId, namespaceIds, last, 1, 1);
      return { rows: page, more: rest.length > 0 };
    });
    const last = lastOf(rows);
    return {
      status: 200,
      body: {
        format: 'service-memories/1',
        data: (await vault.genuine(rows)).map((row) => ({
          ...memoryShape(row),
          namespace: { id: row.namespace_id, name: row.namespace_name },
        })),
        next_cursor: more && last ? cursors.seal('export', bound, last.id) : null,
      },
    };
  },
});
