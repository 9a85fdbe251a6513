import { z } from 'zod';
import { type Field, field, listOf } from './input.js';
import { limits } from './limits.js';
import { cursor, namespace, nextCursor, shortName, wholeNumber } from './memory.js';
import { keyScopes } from './scopes.js';
import { storableText } from './text.js';

export const memoryScope = z.enum(['memory.read', 'memory.write']);
const scope = z.enum(keyScopes);
const saysOfScopes =
  'Without scopes the key may do everything with memories. receipts.read opens all receipts of the workspace with their proofs and export, in all namespaces that exist, and no memory.';
const owner = storableText.min(1).max(limits.runIdCharacters).optional();

/** Ids or names. Too many of them have a code of their own, which is reported before the faults of single ids. */
const namespaces: Field<z.ZodType<string[]>> = field(
  z.array(storableText.min(1), 'must be a list of namespace ids or names'),
  'invalid_namespace_ids',
  { most: listOf(limits.namespacesPerKey, 'too_many_namespaces') },
);

export const keyIn = {
  name: field(shortName, 'invalid_name'),
  scopes: field(z.array(scope).max(3).default([]).describe(saysOfScopes), 'invalid_request'),
  namespace_ids: field(
    namespaces.schema.optional().describe('Ids or names; without them, the default namespace.'),
    namespaces.code,
    { most: namespaces.most },
  ),
  user_id: field(owner, 'invalid_request'),
  agent_id: field(owner, 'invalid_request'),
  app_id: field(owner, 'invalid_request'),
} as const;

export const keyBindingIn = { namespace_ids: namespaces } as const;

const key = z
  .object({
    key_id: z.uuid(),
    name: z.string(),
    scopes: z.array(scope).describe(saysOfScopes),
    namespace_ids: z.array(z.uuid()).describe('The namespaces that the key is limited to.'),
    user_id: z.string().nullable(),
    agent_id: z.string().nullable(),
    app_id: z.string().nullable(),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable().describe('To about a minute; null for a key that was never used.'),
  })
  .meta({ id: 'Key', description: 'An API key without its secret.' });

export const keyCreated = key
  .extend({
    receipt_id: z.string(),
    key: z
      .string()
      .nullable()
      .describe('The secret, shown once; null if the request is repeated with its Idempotency-Key.'),
  })
  .meta({ id: 'KeyCreated', description: 'A new API key with its secret.' });
export const keyList = z.object({ data: z.array(key), next_cursor: nextCursor }).meta({ id: 'KeyList' });
export const keyRevoked = z
  .object({ key_id: z.uuid(), revoked: z.literal(true), receipt_id: z.string() })
  .meta({ id: 'KeyRevoked' });
export type KeyRevoked = z.output<typeof keyRevoked>;
export const kafkaSecretMade = z
  .object({
    key_id: z.uuid(),
    secret_id: z.uuid(),
    created_at: z.iso.datetime(),
    receipt_id: z.string(),
    secret: z
      .string()
      .nullable()
      .describe('The secret, shown once; null if the request is repeated with its Idempotency-Key.'),
  })
  .meta({ id: 'KafkaSecretMade', description: 'A new secret of a key for records of Kafka.' });
export const keyNamespaces = z.object({ key_id: z.uuid(), data: z.array(namespace) }).meta({ id: 'KeyNamespaces' });

export const keyListQuery = {
  limit: field(wholeNumber.pipe(z.int().min(1).max(limits.listMax)).default(limits.listDefault), 'invalid_request'),
  cursor,
} as const;
