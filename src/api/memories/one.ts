import { Refusal } from '../../../contracts/errors.js';
import { memoryDeleted } from '../../../contracts/memory.js';
import { memoryQuery, namedMemory } from '../../../contracts/memory-list.js';
import { memoryById } from '../../../projections/memory/queries.js';
import { isUuid } from '../../base/world.js';
import { deleteMemory } from '../../commands/delete-memory.js';
import { reaches } from '../../domain/caller.js';
import { namesFor } from '../names.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import { memoryShape } from '../shapes.js';
import { erasureOf } from './erasure.js';
import { exampleMemory } from './examples.js';
import { memoryIds } from './named.js';

export const memoryOperation = operation({
  method: 'GET',
  path: '/v1/memories/:memory_id',
  summary: 'One memory with its complete content',
  access: 'memory.read',
  query: memoryQuery,
  answers: { 200: namedMemory },
  refusals: ['memory_not_found', 'memory_out_of_scope', 'invalid_request'],
  documentation: { id: 'getMemory', answers: { 200: { body: exampleMemory } } },
  async handle({ caller, params, query }, { reading: { read, vault } }) {
    const id = params.memory_id ?? '';
    const row = isUuid(id) ? await read((tx) => memoryById(tx, caller.workspaceId, id)) : undefined;
    if (!row) throw new Refusal('memory_not_found');
    if (!reaches(caller, row.namespace_id)) throw new Refusal('memory_out_of_scope');
    const shape = memoryShape(await vault.requireGenuine(row), caller.namespaceIds);
    const names = namesFor(caller, query.include === 'names');
    names.note(memoryIds(shape));
    return { status: 200, body: { ...shape, ...(await names.read(read)) } };
  },
});

export const memoryDeleteOperation = operation({
  method: 'DELETE',
  path: '/v1/memories/:memory_id',
  summary: 'Delete a memory and everything that could reveal it',
  access: 'memory.write',
  counted: 'write',
  answers: { 200: memoryDeleted },
  refusals: ['memory_not_found', 'memory_out_of_scope', 'receipt_unavailable'],
  documentation: {
    id: 'deleteMemory',
    description:
      'The text, its salt and everything that was derived from them are deleted from every table when the answer is sent. ' +
      'The receipt of the write stays, with its hash. When a search engine has not confirmed the deletion within two seconds, ' +
      'the answer has the header x-service-erasure; searches do not show the memory, and the deletion is repeated until it is confirmed.',
    erases: true,
    answers: { 200: { body: { id: samples.memory, deleted: true, receipt_id: samples.otherReceipt } } },
  },
  async handle({ caller, params }, { writing: { run, world }, memories: { removed, erased } }) {
    const id = (params.memory_id ?? '').toLowerCase();
    if (!isUuid(id)) throw new Refusal('memory_not_found');
    const body = await run(caller.workspaceId, deleteMemory(world, caller, id));
    return { status: 200, body, headers: await erasureOf({ removed, erased }, [id]) };
  },
});
