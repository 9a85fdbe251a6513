import {
  attestationKey,
  attestationKeyDeleted,
  attestationKeyIn,
  attestationKeyList,
  attestationKeyListQuery,
} from '../../../contracts/attestation-keys.js';
import { Refusal } from '../../../contracts/errors.js';
import { attestationKeysOf } from '../../../projections/attestations/queries.js';
import { isUuid } from '../../base/world.js';
import { addAttestationKey, removeAttestationKey } from '../../commands/attestation-keys.js';
import { answering, once as onlyOnce } from '../../commands/once.js';
import { readPublicKey } from '../../domain/identity/public-key.js';
import { lastOf } from '../input.js';
import { type Operation, operation } from '../operation.js';
import { samples } from '../samples.js';

const exampleKey = {
  id: samples.other,
  name: 'Build robot',
  public_key: 'z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
  created_at: samples.at,
  receipt_id: samples.receipt,
};

export const attestationKeyListOperation = operation({
  method: 'GET',
  path: '/v1/attestation-keys',
  summary: 'The public keys that may sign attestations of task receipts, newest first',
  access: 'manage the workspace',
  query: attestationKeyListQuery,
  answers: { 200: attestationKeyList },
  refusals: ['invalid_cursor', 'invalid_request'],
  documentation: {
    id: 'listAttestationKeys',
    description: 'The keys of identities that are linked with proof are not in this list, and count as well.',
    answers: { 200: { description: 'A page of keys.', body: { data: [exampleKey], next_cursor: null } } },
  },
  async handle({ caller: { workspaceId }, query: { limit, cursor } }, { reading: { read, cursors } }) {
    const before = cursor === undefined ? null : cursors.open('attestation-keys', [workspaceId], cursor);
    const rows = await read((tx) => attestationKeysOf(tx, workspaceId, before, limit + 1));
    const data = rows.slice(0, limit);
    const last = rows.length > limit ? lastOf(data) : undefined;
    const next_cursor = last ? cursors.seal('attestation-keys', [workspaceId], last.id) : null;
    return { status: 200, body: { data, next_cursor } };
  },
});

export const attestationKeyAddOperation = operation({
  method: 'POST',
  path: '/v1/attestation-keys',
  summary: 'Add a public key that may sign attestations of task receipts',
  access: 'manage the workspace',
  counted: 'write',
  body: attestationKeyIn,
  answers: { 200: attestationKey, 201: attestationKey },
  refusals: [
    'invalid_json',
    'invalid_request',
    'invalid_public_key',
    'invalid_name',
    'attestation_key_limit',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'addAttestationKey',
    body: 'AttestationKeyIn',
    description: 'A workspace has at most 100 of these keys. All writings of one key are the same key.',
    request: { public_key: exampleKey.public_key, name: exampleKey.name },
    answers: {
      200: { description: 'The key was added before. Its name stays as it was.', body: exampleKey },
      201: { description: 'The key was added.', body: exampleKey },
    },
  },
  async handle({ caller, body: { public_key, name = null }, once }, { writing: { run, world } }) {
    const publicKey = readPublicKey(public_key);
    if (publicKey === null) throw new Refusal('invalid_public_key');
    const command = addAttestationKey(world, caller, { publicKey, name });
    const answered = answering(command, ({ isNew, key: body }) =>
      isNew ? { status: 201, body } : { status: 200, body },
    );
    return run(caller.workspaceId, onlyOnce(answered, once));
  },
});

export const attestationKeyRemoveOperation = operation({
  method: 'DELETE',
  path: '/v1/attestation-keys/:key_id',
  summary: 'Remove a public key that may sign attestations',
  access: 'manage the workspace',
  counted: 'write',
  answers: { 200: attestationKeyDeleted },
  refusals: ['attestation_key_not_found', 'receipt_unavailable'],
  documentation: {
    id: 'removeAttestationKey',
    description: 'Attestations that were verified with it before stay verified.',
    answers: {
      200: {
        description: 'The key was removed.',
        body: { id: samples.other, deleted: true, receipt_id: samples.receipt },
      },
    },
  },
  async handle({ caller, params: { key_id: id = '' } }, { writing: { run, world } }) {
    if (!isUuid(id)) throw new Refusal('attestation_key_not_found');
    return { status: 200, body: await run(caller.workspaceId, removeAttestationKey(world, caller, id.toLowerCase())) };
  },
});

export const attestationKeyOperations: readonly Operation[] = [
  attestationKeyListOperation,
  attestationKeyAddOperation,
  attestationKeyRemoveOperation,
];
