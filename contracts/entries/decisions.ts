import { z } from 'zod';
import { commitment, entryKind } from './kind.js';

const refs = z.array(z.string()).readonly();

const decision = z.strictObject({
  namespace_id: z.string(),
  /** Ids and addresses of what the decision is about, as they were sent. */
  refs,
  /** The commitment to one JSON text with `summary`, `options`, `chosen` and `reason`. */
  content_commitment: commitment,
});

const handoff = z.strictObject({
  namespace_id: z.string(),
  /** The identity that takes over. It need not be linked to the workspace. */
  to_agent: z.string(),
  refs,
  /** The commitment to one JSON text with `summary` and `task`. */
  content_commitment: commitment,
});

/** The records of the work of agents besides memories. All who reach the namespace see them. */
export const decisionKinds = {
  decision: entryKind({
    body: decision.readonly(),
    audience: 'memory',
    action: true,
    namespaces: (body) => [body.namespace_id],
    vault: (body) => ({ texts: { content: body.content_commitment } }),
    discloses: 'with receipts',
  }),
  handoff: entryKind({
    body: handoff.readonly(),
    audience: 'memory',
    action: true,
    namespaces: (body) => [body.namespace_id],
    vault: (body) => ({ texts: { content: body.content_commitment } }),
    discloses: 'with receipts',
  }),
};
