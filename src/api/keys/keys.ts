import { Refusal } from '../../../contracts/errors.js';
import {
  keyBindingIn,
  keyCreated,
  keyIn,
  keyList,
  keyListQuery,
  keyNamespaces,
  keyRevoked,
} from '../../../contracts/keys.js';
import { type KeyListed, type KeyUsed, keyById, keysOfWorkspace } from '../../../projections/account/queries.js';
import { namespacesByIds } from '../../../projections/namespace/queries.js';
import { isUuid } from '../../base/world.js';
import { bindKey, createKey, revokeKey } from '../../commands/keys.js';
import type { Caller } from '../../domain/caller.js';
import { keyHash, newApiKey } from '../../domain/secrets.js';
import { lastOf } from '../input.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import type { ForReading } from '../services.js';
import { shownOnce } from '../shown-once.js';

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

const exampleKey = {
  key_id: samples.key,
  name: 'archivist',
  scopes: ['memory.read'],
  namespace_ids: [samples.otherNamespace],
  user_id: null,
  agent_id: 'archivist-1',
  app_id: null,
  created_at: samples.at,
  last_used_at: samples.later,
};

export const keyListOperation = operation({
  method: 'GET',
  path: '/v1/keys',
  summary: 'The API keys of the workspace, newest first, without their secrets',
  access: 'manage keys',
  query: keyListQuery,
  answers: { 200: keyList },
  refusals: ['invalid_cursor', 'invalid_request'],
  documentation: {
    id: 'listKeys',
    answers: { 200: { description: 'A page of keys.', body: { data: [exampleKey], next_cursor: null } } },
  },
  async handle({ caller, query: { limit, cursor } }, { reading: { read, cursors } }) {
    const { workspaceId } = caller;
    const before = cursor === undefined ? null : cursors.open('keys', [workspaceId], cursor);
    const rows = await read((tx) => keysOfWorkspace(tx, workspaceId, before, limit + 1));
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? lastOf(page) : undefined;
    const next_cursor = last ? cursors.seal('keys', [workspaceId], last.id) : null;
    return { status: 200, body: { data: page.map(keyShape), next_cursor } };
  },
});

export const keyCreateOperation = operation({
  method: 'POST',
  path: '/v1/keys',
  summary: 'Create an API key; its secret is shown once',
  access: 'manage keys',
  counted: 'key',
  body: keyIn,
  answers: { 201: keyCreated },
  refusals: [
    'invalid_json',
    'invalid_name',
    'invalid_namespace_ids',
    'too_many_namespaces',
    'invalid_request',
    'namespace_required',
    'namespace_not_found',
    'namespace_deleted',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'createKey',
    body: 'KeyIn',
    description: 'At most 20 an hour. Without namespace_ids the key is limited to the default namespace.',
    request: { name: 'archivist', scopes: ['memory.read'], namespace_ids: ['letters'], agent_id: 'archivist-1' },
    answers: {
      201: {
        description: 'The key, with its secret: it is shown once.',
        body: { ...exampleKey, last_used_at: null, receipt_id: samples.receipt, key: samples.secret },
      },
    },
  },
  async handle({ caller, body, once }, { writing: { run, world } }) {
    const { name, scopes, namespace_ids: namespaces } = body;
    const secret = newApiKey();
    const owners = { user_id: body.user_id ?? null, agent_id: body.agent_id ?? null, app_id: body.app_id ?? null };
    const command = createKey(world, caller, { name, scopes, namespaces, ...owners }, keyHash(secret));
    const { workspaceId } = caller;
    return shownOnce(run, { workspaceId, request: once, secret }, command, (created, key) => ({
      ...created,
      name,
      scopes,
      ...owners,
      last_used_at: null,
      key,
    }));
  },
});

export const keyRevokeOperation = operation({
  method: 'DELETE',
  path: '/v1/keys/:key_id',
  summary: 'Revoke an API key',
  access: 'manage keys',
  counted: 'write',
  answers: { 200: keyRevoked },
  refusals: ['key_not_found', 'key_out_of_scope', 'receipt_unavailable'],
  documentation: {
    id: 'revokeKey',
    answers: {
      200: {
        description: 'The key was revoked.',
        body: { key_id: samples.key, revoked: true, receipt_id: samples.receipt },
      },
    },
  },
  async handle({ caller, params }, { reading, writing: { run, world } }) {
    const { id } = await keyOf(reading, caller, params);
    return { status: 200, body: await run(caller.workspaceId, revokeKey(world, caller, id)) };
  },
});

export const keyBindingsOperation = operation({
  method: 'GET',
  path: '/v1/keys/:key_id/namespaces',
  summary: 'The namespaces that a key is bound to',
  access: 'see key bindings',
  answers: { 200: keyNamespaces },
  refusals: ['key_not_found', 'key_out_of_scope'],
  documentation: {
    id: 'getKeyNamespaces',
    answers: {
      200: { description: 'The namespaces of the key.', body: { key_id: samples.key, data: [exampleLetters] } },
    },
  },
  async handle({ caller, params }, { reading }) {
    const { id, namespace_ids } = await keyOf(reading, caller, params);
    return { status: 200, body: await bindings(reading, caller, id, namespace_ids) };
  },
});

export const keyBindOperation = operation({
  method: 'PUT',
  path: '/v1/keys/:key_id/namespaces',
  summary: 'Limit a key to these namespaces; an empty list denies it everything',
  access: 'bind keys',
  counted: 'write',
  body: keyBindingIn,
  answers: { 200: keyNamespaces },
  refusals: [
    'invalid_json',
    'invalid_namespace_ids',
    'too_many_namespaces',
    'key_not_found',
    'key_out_of_scope',
    'namespace_not_found',
    'namespace_deleted',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'setKeyNamespaces',
    body: 'KeyNamespacesIn',
    request: { namespace_ids: ['default', samples.otherNamespace] },
    answers: {
      200: {
        description: 'The namespaces of the key.',
        body: { key_id: samples.key, data: [exampleFirst, exampleLetters] },
      },
    },
  },
  async handle({ caller, params, body }, { reading, writing: { run, world } }) {
    const { id } = await keyOf(reading, caller, params);
    const ids = await run(caller.workspaceId, bindKey(world, caller, id, body.namespace_ids));
    return { status: 200, body: await bindings(reading, caller, id, ids) };
  },
});

/** @throws Refusal key_not_found, key_out_of_scope */
export async function keyOf(
  { read }: Pick<ForReading, 'read'>,
  caller: Caller,
  params: Readonly<Record<string, string>>,
): Promise<KeyListed> {
  const id = params.key_id ?? '';
  const key = isUuid(id) ? await read((tx) => keyById(tx, id)) : undefined;
  if (!key) throw new Refusal('key_not_found');
  if (key.workspace_id !== caller.workspaceId) throw new Refusal('key_out_of_scope');
  return key;
}

/**
 * The id of a key that is not of another workspace. Whether there is such a key is left to the command, which finds the answer of an
 * earlier request first.
 */
export async function ownKeyId(
  { read }: Pick<ForReading, 'read'>,
  caller: Caller,
  params: Readonly<Record<string, string>>,
): Promise<string> {
  const id = params.key_id ?? '';
  if (!isUuid(id)) throw new Refusal('key_not_found');
  const key = await read((tx) => keyById(tx, id));
  if (key && key.workspace_id !== caller.workspaceId) throw new Refusal('key_out_of_scope');
  return id;
}

async function bindings({ read }: ForReading, { workspaceId }: Caller, key_id: string, ids: readonly string[]) {
  return { key_id, data: await read((tx) => namespacesByIds(tx, workspaceId, ids)) };
}

function keyShape({ id: key_id, workspace_id: _, ...rest }: KeyUsed) {
  return { key_id, ...rest };
}
