import { z } from 'zod';
import { namedTask } from '../task-receipt.js';
import { commitment, entryKind } from './kind.js';

/** The result of checking an attestation, and the key that it was checked with. */
const attestationCheck = z
  .strictObject({
    state: z.enum(['verified', 'not_checked']),
    /** The identity, or the id of the attestation key, that has signed it; null when it was not checked. */
    signer: z.string().nullable(),
  })
  .readonly();
export type AttestationCheck = z.output<typeof attestationCheck>;

/** How the public sees a task receipt, fixed at the moment at which it was recorded. */
const publication = z
  .strictObject({
    /** The public tag of the workspace. */
    workspace: z.string(),
    /** The identity to which the handle was linked with proof; null where there was none. */
    agent_id: z.string().nullable(),
    vendor: z.string(),
  })
  .readonly();
export type Publication = z.output<typeof publication>;

const task = z.strictObject({
  /** The members that the schema names, without `task_summary`. */
  task: namedTask,
  /** The tools that were called and that the declared scope does not cover; null when no scope was declared. */
  scope_violations: z.array(z.string()).readonly().nullable(),
  /**
   * The commitment to one JSON text with `task_summary` and all members that the schema does not name; null when there
   * are none.
   */
  content_commitment: commitment.nullable(),
  /** Shows whether a receipt with the same id is the same: an HMAC under a key that is lost with the salt. */
  sent_digest: z.string(),
  /** One for each attestation, in their order. */
  attestation_checks: z.array(attestationCheck).readonly(),
  /** Null for a receipt that is not public. */
  publication: publication.nullable(),
});

/** The receipts that platforms submit. They belong to no namespace. */
export const taskKinds = {
  task: entryKind({
    body: task.readonly(),
    audience: 'memory',
    action: true,
    namespaces: () => [],
    vault: (body) => ({ texts: { content: body.content_commitment } }),
    discloses: 'with receipts',
  }),
  /** The private text of a task receipt, a decision or a handoff and its salt are destroyed. */
  'receipt.private_erased': entryKind({
    body: z
      .strictObject({
        erased_receipt_id: z.string(),
        /** Of the decision or handoff. Task receipts belong to no namespace. */
        namespace_id: z.string().exactOptional(),
      })
      .readonly(),
    audience: 'memory',
    namespaces: ({ namespace_id }) => (namespace_id === undefined ? [] : [namespace_id]),
    erases: (body) => [body.erased_receipt_id],
  }),
};
