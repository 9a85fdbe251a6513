import { z } from 'zod';
import { entryKind } from './kind.js';

const created = z.strictObject({
  namespace_id: z.string(),
  name: z.string(),
  is_default: z.boolean(),
  /** The text search configuration of PostgreSQL by which words are stemmed. */
  text_config: z.string(),
  /** Keys see receipts of governance by their scopes, so this namespace takes nothing from them. Absent of namespaces from before there was such a scope. */
  receipts: z.literal('by scope').exactOptional(),
});

const deleted = z.strictObject({
  namespace_id: z.string(),
  moved_to: z.string().nullable(),
  /** Memories that this request moved to the other namespace. */
  moved: z.int(),
});

export const namespaceKinds = {
  'namespace.created': entryKind({
    body: created.readonly(),
    audience: 'governance',
    namespaces: (body) => [body.namespace_id],
  }),
  'namespace.renamed': entryKind({
    body: z.strictObject({ namespace_id: z.string(), name: z.string() }).readonly(),
    audience: 'governance',
    namespaces: (body) => [body.namespace_id],
  }),
  /** A namespace was deleted, after its memories had been moved to another namespace. */
  'namespace.deleted': entryKind({
    body: deleted.readonly(),
    audience: 'governance',
    namespaces: (body) => [body.namespace_id],
  }),
};
