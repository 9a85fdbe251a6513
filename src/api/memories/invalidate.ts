import { Refusal } from '../../../contracts/errors.js';
import { invalidateIn, memoryInvalidated } from '../../../contracts/invalidation.js';
import { isUuid } from '../../base/world.js';
import { invalidateMemory, reinstateMemory } from '../../commands/invalidate-memory.js';
import { answering, once as onlyOnce } from '../../commands/once.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';

const refusals = ['memory_not_found', 'memory_out_of_scope', 'tenant_paused', 'receipt_unavailable'] as const;

export const memoryInvalidateOperation = operation({
  method: 'POST',
  path: '/v1/memories/:memory_id/invalidate',
  summary: 'Say that a memory is not valid any more, and why',
  access: 'memory.write',
  counted: 'write',
  body: invalidateIn,
  answers: { 200: memoryInvalidated },
  refusals: [
    'invalid_json',
    'invalid_reason',
    'invalid_superseded_by',
    ...refusals,
    'memory_invalidated',
    'content_rejected',
  ],
  documentation: {
    id: 'invalidateMemory',
    body: 'MemoryInvalidateIn',
    description:
      'The memory stays: it can be read, listed and exported with the reason. Searches leave it out unless filters.include_invalidated ' +
      'is true. The reason is stored as the content of memories is, with sensitive values redacted, and is deleted with the memory.',
    request: { reason: 'Ada moved on to Braga in June.', superseded_by: samples.otherMemory },
    answers: { 200: { body: { id: samples.memory, invalidated: true, receipt_id: samples.otherReceipt } } },
  },
  async handle({ caller, params, body, once }, { writing: { run, world }, memories: { redact } }) {
    const memoryId = idOf(params.memory_id);
    const supersededBy = body.superseded_by?.toLowerCase() ?? null;
    const written = { content: body.reason, metadata: '{}', source: null, label: null };
    const { content: reason, found: sensitive } = await redact(caller.workspaceId, written);
    const invalidation = { memoryId, reason, sensitive, supersededBy };
    const command = answering(invalidateMemory(world, caller, invalidation), (answer) => ({
      status: 200,
      body: answer,
    }));
    return run(caller.workspaceId, onlyOnce(command, once));
  },
});

export const memoryReinstateOperation = operation({
  method: 'POST',
  path: '/v1/memories/:memory_id/reinstate',
  summary: 'Make an invalidated memory valid again',
  access: 'memory.write',
  counted: 'write',
  answers: { 200: memoryInvalidated },
  refusals: [...refusals, 'memory_not_invalidated'],
  documentation: {
    id: 'reinstateMemory',
    description:
      'The receipt of the invalidation stays. Its reason stays until the memory is invalidated again or deleted.',
    answers: { 200: { body: { id: samples.memory, invalidated: false, receipt_id: samples.otherReceipt } } },
  },
  async handle({ caller, params, once }, { writing: { run, world } }) {
    const command = answering(reinstateMemory(world, caller, idOf(params.memory_id)), (answer) => ({
      status: 200,
      body: answer,
    }));
    return run(caller.workspaceId, onlyOnce(command, once));
  },
});

/** @throws Refusal memory_not_found */
function idOf(given: string | undefined): string {
  const id = (given ?? '').toLowerCase();
  if (!isUuid(id)) throw new Refusal('memory_not_found');
  return id;
}
