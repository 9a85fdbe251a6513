import { Refusal } from '../../../contracts/errors.js';
import {
  namespace,
  namespaceDeleted,
  namespaceDeleteIn,
  namespaceIn,
  namespaceList,
  namespaceListQuery,
} from '../../../contracts/memory.js';
import { memoryIdsIn } from '../../../projections/memory/queries.js';
import { listNamespaces, type NamespaceView, namespaceById } from '../../../projections/namespace/queries.js';
import { isUuid } from '../../base/world.js';
import { createNamespace, deleteNamespace, moveMemories, renameNamespace } from '../../commands/namespaces.js';
import { answering, once as onlyOnce } from '../../commands/once.js';
import { type Caller, reaches } from '../../domain/caller.js';
import { lastOf } from '../input.js';
import { type Operation, operation } from '../operation.js';
import { samples } from '../samples.js';
import type { ForReading, Services } from '../services.js';

const exampleLetters = {
  id: samples.otherNamespace,
  name: 'letters',
  is_default: false,
  created_at: samples.at,
  updated_at: samples.at,
};

const exampleFirst = {
  id: samples.namespace,
  name: 'default',
  is_default: true,
  created_at: samples.at,
  updated_at: samples.at,
};

export const namespaceListOperation = operation({
  method: 'GET',
  path: '/v1/namespaces',
  summary: 'The namespaces that the caller reaches, by name',
  access: 'memory.read',
  query: namespaceListQuery,
  answers: { 200: namespaceList },
  refusals: ['invalid_cursor', 'invalid_request'],
  documentation: {
    id: 'listNamespaces',
    description: 'A key sees the namespaces that it is limited to, a signed-in person sees all.',
    query: { include: 'stats' },
    answers: {
      200: {
        description: 'A page of namespaces, by name.',
        body: {
          data: [
            { ...exampleFirst, memory_count: 1204, last_activity_at: samples.later },
            { ...exampleLetters, memory_count: 0, last_activity_at: null },
          ],
          next_cursor: null,
        },
      },
    },
  },
  async handle({ caller, query }, { reading: { read, cursors } }) {
    const { include, limit, cursor } = query;
    const bound = [caller.workspaceId, include];
    const after = cursor === undefined ? null : cursors.open('namespaces', bound, cursor);
    const rows = await read((tx) =>
      listNamespaces(tx, caller.workspaceId, caller.namespaceIds, after, limit + 1, include === 'stats'),
    );
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? lastOf(shown) : undefined;
    return {
      status: 200,
      body: { data: shown, next_cursor: last ? cursors.seal('namespaces', bound, last.name) : null },
    };
  },
});

export const namespaceCreateOperation = operation({
  method: 'POST',
  path: '/v1/namespaces',
  summary: 'Create a namespace',
  access: 'manage namespaces',
  counted: 'write',
  body: namespaceIn,
  answers: { 201: namespace },
  refusals: ['invalid_json', 'invalid_name', 'namespace_name_conflict', 'receipt_unavailable'],
  documentation: {
    id: 'createNamespace',
    description:
      'The name is stored as it is given. Wherever a name is compared, each white space is a space: a name that differs from another one ' +
      'only in that is namespace_name_conflict.',
    body: 'NamespaceIn',
    request: { name: 'letters' },
    answers: { 201: { description: 'The new namespace.', body: exampleLetters } },
  },
  async handle({ caller, body, once }, { writing: { run, world } }) {
    const command = answering(createNamespace(world, caller, body.name), (made) => ({ status: 201, body: made }));
    return run(caller.workspaceId, onlyOnce(command, once));
  },
});

export const namespaceGetOperation = operation({
  method: 'GET',
  path: '/v1/namespaces/:namespace_id',
  summary: 'One namespace',
  access: 'memory.read',
  answers: { 200: namespace },
  refusals: ['namespace_not_found', 'namespace_deleted', 'namespace_out_of_scope'],
  documentation: { id: 'getNamespace', answers: { 200: { body: exampleFirst } } },
  async handle({ caller, params }, { reading }) {
    return { status: 200, body: await shown(reading, caller, idOf(params)) };
  },
});

export const namespaceRenameOperation = operation({
  method: 'PATCH',
  path: '/v1/namespaces/:namespace_id',
  summary: 'Rename a namespace',
  access: 'manage namespaces',
  counted: 'write',
  body: namespaceIn,
  answers: { 200: namespace },
  refusals: [
    'invalid_json',
    'invalid_name',
    'namespace_not_found',
    'namespace_deleted',
    'namespace_name_conflict',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'renameNamespace',
    body: 'NamespaceIn',
    request: { name: 'correspondence' },
    answers: {
      200: {
        description: 'The namespace with its new name.',
        body: { ...exampleLetters, name: 'correspondence', updated_at: samples.later },
      },
    },
  },
  async handle({ caller, params, body }, { reading, writing: { run, world } }) {
    const id = idOf(params);
    await run(caller.workspaceId, renameNamespace(world, caller, id, body.name));
    return { status: 200, body: await shown(reading, caller, id) };
  },
});

export const namespaceDeleteOperation = operation({
  method: 'DELETE',
  path: '/v1/namespaces/:namespace_id',
  summary: 'Delete a namespace, after moving its memories to another one',
  access: 'manage namespaces',
  counted: 'write',
  query: namespaceDeleteIn,
  body: namespaceDeleteIn,
  answers: { 200: namespaceDeleted },
  refusals: [
    'invalid_json',
    'invalid_move_to',
    'namespace_not_found',
    'namespace_deleted',
    'cannot_delete_default_namespace',
    'namespace_not_empty',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'deleteNamespace',
    body: 'NamespaceDeleteIn',
    description:
      'A namespace that contains memories needs move_to, in the query or in the body: each memory is moved there first, with a ' +
      'receipt. A memory of more than 4 KiB is pending until it is indexed again; lists and searches do not show it before ' +
      'that. The default namespace cannot be deleted.',
    query: { move_to: 'default' },
    answers: {
      200: {
        description: 'The namespace was deleted.',
        body: { id: samples.namespace, deleted: true, moved_to: samples.otherNamespace, moved: 12 },
      },
    },
  },
  async handle({ caller, params, query, body }, services) {
    const id = idOf(params);
    const moveTo = query.move_to ?? body.move_to ?? null;
    if (body.move_to !== undefined && body.move_to !== moveTo) {
      throw new Refusal('invalid_move_to', 'The query and the body name different namespaces.');
    }
    const moved = moveTo === null ? 0 : await empty(services, caller, id, moveTo);
    const { run, world } = services.writing;
    return { status: 200, body: await run(caller.workspaceId, deleteNamespace(world, caller, id, moveTo, moved)) };
  },
});

/** Memories that are moved in one transaction, which on the embedded database everybody else waits for. */
const movedAtOnce = { memories: 25, bytes: 32 * 1024 };

/** Moves all memories out. After an interruption the rest is where it was; the same request moves that too. */
async function empty(
  { reading: { read }, writing: { run, world }, memories: { wakePipeline } }: Services,
  caller: Caller,
  id: string,
  moveTo: string,
): Promise<number> {
  const { workspaceId } = caller;
  let moved = 0;
  for (;;) {
    const ids = await read((tx) => memoryIdsIn(tx, workspaceId, id, movedAtOnce.memories, movedAtOnce.bytes));
    if (ids.length === 0) return moved;
    moved += await run(workspaceId, moveMemories(world, caller, id, moveTo, ids));
    wakePipeline();
  }
}

function idOf({ namespace_id: id = '' }: Readonly<Record<string, string>>): string {
  if (!isUuid(id)) throw new Refusal('namespace_not_found');
  return id.toLowerCase();
}

async function shown({ read }: ForReading, caller: Caller, id: string): Promise<NamespaceView> {
  const row = await read((tx) => namespaceById(tx, caller.workspaceId, id));
  if (!row) throw new Refusal('namespace_not_found');
  const { deleted, ...view } = row;
  if (deleted) throw new Refusal('namespace_deleted');
  if (caller.role === null && !reaches(caller, id)) throw new Refusal('namespace_out_of_scope');
  return view;
}

export const namespaceOperations: readonly Operation[] = [
  namespaceListOperation,
  namespaceCreateOperation,
  namespaceGetOperation,
  namespaceRenameOperation,
  namespaceDeleteOperation,
];
