import { samples } from '../../../api/samples.js';
import type { Book } from '../told.js';

const letters = {
  id: samples.otherNamespace,
  name: 'letters',
  is_default: false,
  created_at: samples.at,
  updated_at: samples.at,
};
const first = {
  id: samples.namespace,
  name: 'default',
  is_default: true,
  created_at: samples.at,
  updated_at: samples.at,
};

const key = {
  key_id: samples.key,
  name: 'archivist',
  scopes: ['memory.read'],
  namespace_ids: [samples.otherNamespace],
  user_id: null,
  agent_id: 'archivist-1',
  app_id: null,
  created_at: samples.at,
};

export const namespaces: Book = {
  'GET /v1/namespaces': {
    id: 'listNamespaces',
    description: 'A key sees the namespaces that it is limited to, a signed-in person sees all.',
    query: { include: 'stats' },
    answers: {
      200: {
        says: 'A page of namespaces, by name.',
        body: {
          data: [
            { ...first, memory_count: 1204, last_activity_at: samples.later },
            { ...letters, memory_count: 0, last_activity_at: null },
          ],
          next_cursor: null,
        },
      },
    },
  },
  'POST /v1/namespaces': {
    id: 'createNamespace',
    body: 'NamespaceIn',
    request: { name: 'letters' },
    answers: { 201: { says: 'The new namespace.', body: letters } },
  },
  'GET /v1/namespaces/{namespace_id}': { id: 'getNamespace', answers: { 200: { body: first } } },
  'PATCH /v1/namespaces/{namespace_id}': {
    id: 'renameNamespace',
    body: 'NamespaceIn',
    request: { name: 'correspondence' },
    answers: {
      200: {
        says: 'The namespace with its new name.',
        body: { ...letters, name: 'correspondence', updated_at: samples.later },
      },
    },
  },
  'DELETE /v1/namespaces/{namespace_id}': {
    id: 'deleteNamespace',
    body: 'NamespaceDeleteIn',
    description:
      'A namespace that contains memories needs move_to, in the query or in the body: each memory is moved there first, with a ' +
      'receipt. A memory of more than 4 KiB is pending until it is indexed again; lists and searches do not show it before ' +
      'that. The default namespace cannot be deleted.',
    query: { move_to: 'default' },
    answers: {
      200: {
        says: 'The namespace was deleted.',
        body: { id: samples.namespace, deleted: true, moved_to: samples.otherNamespace, moved: 12 },
      },
    },
  },
  'GET /v1/keys': {
    id: 'listKeys',
    answers: { 200: { says: 'A page of keys.', body: { data: [key], next_cursor: null } } },
  },
  'POST /v1/keys': {
    id: 'createKey',
    body: 'KeyIn',
    description: 'At most 20 an hour. Without namespace_ids the key is limited to the default namespace.',
    request: { name: 'archivist', scopes: ['memory.read'], namespace_ids: ['letters'], agent_id: 'archivist-1' },
    answers: {
      201: {
        says: 'The key, with its secret: it is shown once.',
        body: { ...key, receipt_id: samples.receipt, key: samples.secret },
      },
    },
  },
  'DELETE /v1/keys/{key_id}': {
    id: 'revokeKey',
    answers: {
      200: {
        says: 'The key was revoked.',
        body: { key_id: samples.key, revoked: true, receipt_id: samples.receipt },
      },
    },
  },
  'GET /v1/keys/{key_id}/namespaces': {
    id: 'getKeyNamespaces',
    answers: { 200: { says: 'The namespaces of the key.', body: { key_id: samples.key, data: [letters] } } },
  },
  'PUT /v1/keys/{key_id}/namespaces': {
    id: 'setKeyNamespaces',
    body: 'KeyNamespacesIn',
    request: { namespace_ids: ['default', samples.otherNamespace] },
    answers: { 200: { says: 'The namespaces of the key.', body: { key_id: samples.key, data: [first, letters] } } },
  },
};
