import { agentKeyCreated, agentKeyIn, agentKeyList } from '../../../contracts/agent-keys.js';
import { Refusal } from '../../../contracts/errors.js';
import { keyBindingIn, keyListQuery, keyNamespaces, keyRevoked } from '../../../contracts/keys.js';
import { type AgentKeyListed, keysOfLink } from '../../../projections/agents/keys.js';
import { linkExists } from '../../../projections/agents/queries.js';
import { namespacesByIds } from '../../../projections/namespace/queries.js';
import { isUuid } from '../../base/world.js';
import { bindAgentKey, createAgentKey, revokeAgentKey } from '../../commands/agent-keys.js';
import { keyHash, newAgentKey } from '../../domain/secrets.js';
import { lastOf } from '../input.js';
import { type Operation, operation } from '../operation.js';
import { samples } from '../samples.js';
import { shownOnce } from '../shown-once.js';

const exampleKey = {
  key_id: samples.key,
  agent_id: 'agn_mfrggzdfmztwq2lknnwg23tpobyxe43u',
  name: 'desk of the archivist',
  scopes: ['memory.read', 'memory.write'],
  namespace_ids: [samples.namespace],
  created_at: samples.at,
  last_used_at: null,
};

export const agentKeyListOperation = operation({
  method: 'GET',
  path: '/v1/agents/:link_id/keys',
  summary: 'The keys with which an agent calls over MCP, newest first, without their secrets',
  access: 'manage keys',
  query: keyListQuery,
  answers: { 200: agentKeyList },
  refusals: ['invalid_cursor', 'invalid_request', 'agent_not_found'],
  documentation: {
    id: 'listAgentKeys',
    answers: { 200: { description: 'A page of keys.', body: { data: [exampleKey], next_cursor: null } } },
  },
  async handle({ caller: { workspaceId }, params, query: { limit, cursor } }, { reading: { read, cursors } }) {
    const link = linkIn(params);
    const bound = [workspaceId, link];
    const before = cursor === undefined ? null : cursors.open('agent keys', bound, cursor);
    const [exists, rows] = await read((tx) =>
      Promise.all([linkExists(tx, workspaceId, link), keysOfLink(tx, workspaceId, link, before, limit + 1)]),
    );
    if (!exists) throw new Refusal('agent_not_found');
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? lastOf(page) : undefined;
    const next_cursor = last ? cursors.seal('agent keys', bound, last.id) : null;
    return { status: 200, body: { data: page.map(keyShape), next_cursor } };
  },
});

export const agentKeyCreateOperation = operation({
  method: 'POST',
  path: '/v1/agents/:link_id/keys',
  summary: 'Create a key with which an agent calls over MCP; its secret is shown once',
  access: 'manage keys',
  counted: 'key',
  body: agentKeyIn,
  answers: { 201: agentKeyCreated },
  refusals: [
    'invalid_json',
    'invalid_name',
    'invalid_namespace_ids',
    'too_many_namespaces',
    'invalid_request',
    'agent_not_found',
    'namespace_required',
    'namespace_not_found',
    'namespace_deleted',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'createAgentKey',
    body: 'AgentKeyIn',
    description:
      'At most 20 an hour, together with API keys. Without scopes the key may read and write; without namespace_ids it is ' +
      'limited to the default namespace. It opens /mcp only, and ends when the agent is unlinked.',
    request: { name: 'desk of the archivist' },
    answers: {
      201: {
        description: 'The key, with its secret: it is shown once.',
        body: { ...exampleKey, receipt_id: samples.receipt, key: samples.secret.replace('ak_', 'agk_') },
      },
    },
  },
  async handle(
    { caller, params, body: { name, scopes, namespace_ids: namespaces }, once },
    { writing: { run, world } },
  ) {
    const link = linkIn(params);
    const secret = newAgentKey();
    const command = createAgentKey(world, caller, link, { name, scopes, namespaces }, keyHash(secret));
    const { workspaceId } = caller;
    return shownOnce(run, { workspaceId, request: once, secret }, command, (created, key) => ({
      ...created,
      name,
      scopes,
      last_used_at: null,
      key,
    }));
  },
});

export const agentKeyRevokeOperation = operation({
  method: 'DELETE',
  path: '/v1/agents/:link_id/keys/:key_id',
  summary: 'Revoke a key of an agent',
  access: 'manage keys',
  counted: 'write',
  answers: { 200: keyRevoked },
  refusals: ['agent_not_found', 'key_not_found', 'receipt_unavailable'],
  documentation: {
    id: 'revokeAgentKey',
    answers: {
      200: {
        description: 'The key was revoked.',
        body: { key_id: samples.key, revoked: true, receipt_id: samples.receipt },
      },
    },
  },
  async handle({ caller, params }, { writing: { run, world } }) {
    const command = revokeAgentKey(world, caller, linkIn(params), keyIn(params));
    return { status: 200, body: await run(caller.workspaceId, command) };
  },
});

export const agentKeyBindOperation = operation({
  method: 'PUT',
  path: '/v1/agents/:link_id/keys/:key_id/namespaces',
  summary: 'Limit a key of an agent to these namespaces; an empty list denies it everything',
  access: 'bind keys',
  counted: 'write',
  body: keyBindingIn,
  answers: { 200: keyNamespaces },
  refusals: [
    'invalid_json',
    'invalid_namespace_ids',
    'too_many_namespaces',
    'agent_not_found',
    'key_not_found',
    'namespace_not_found',
    'namespace_deleted',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'setAgentKeyNamespaces',
    body: 'KeyNamespacesIn',
    request: { namespace_ids: ['default'] },
    answers: {
      200: {
        description: 'The namespaces of the key.',
        body: {
          key_id: samples.key,
          data: [
            {
              id: samples.namespace,
              name: 'default',
              is_default: true,
              created_at: samples.at,
              updated_at: samples.at,
            },
          ],
        },
      },
    },
  },
  async handle({ caller, params, body }, { reading: { read }, writing: { run, world } }) {
    const key_id = keyIn(params);
    const command = bindAgentKey(world, caller, linkIn(params), key_id, body.namespace_ids);
    const ids = await run(caller.workspaceId, command);
    return { status: 200, body: { key_id, data: await read((tx) => namespacesByIds(tx, caller.workspaceId, ids)) } };
  },
});

/** @throws Refusal agent_not_found */
function linkIn({ link_id: id = '' }: Readonly<Record<string, string>>): string {
  if (!isUuid(id)) throw new Refusal('agent_not_found');
  return id.toLowerCase();
}

/** @throws Refusal key_not_found */
function keyIn({ key_id: id = '' }: Readonly<Record<string, string>>): string {
  if (!isUuid(id)) throw new Refusal('key_not_found', 'This agent has no key with that id.');
  return id.toLowerCase();
}

function keyShape({ id: key_id, ...rest }: AgentKeyListed) {
  return { key_id, ...rest };
}

export const agentKeyOperations: readonly Operation[] = [
  agentKeyListOperation,
  agentKeyCreateOperation,
  agentKeyRevokeOperation,
  agentKeyBindOperation,
];
