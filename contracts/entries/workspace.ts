import { z } from 'zod';
import { commitment, entryKind } from './kind.js';

/** The rights of a person in a workspace. With `none` a person may not even read. */
const role = z.enum(['owner', 'admin', 'member', 'reader', 'none']);
export type Role = z.output<typeof role>;

export const plans = ['free', 'pro', 'team', 'enterprise'] as const;
const plan = z.enum(plans);
export type Plan = z.output<typeof plan>;

/** Holds the writes that match every member of it until they are approved. */
const askRule = z
  .strictObject({
    namespace_id: z.string().optional(),
    agent_id: z.string().optional(),
    app_id: z.string().optional(),
    source: z.string().optional(),
    /** The smallest size of the content, in bytes of UTF-8. */
    min_bytes: z.int().optional(),
  })
  .readonly();
export type AskRule = z.output<typeof askRule>;

/** The conditions that a workspace sets for writes. */
const writeRules = z
  .strictObject({
    /** Only people who are signed in may write. */
    pause_all: z.boolean(),
    /** Whether sensitive values are replaced by `[redacted]`, or a text that holds one is refused. */
    sensitive: z.enum(['redact', 'reject']),
    ask_owner: z.array(askRule).readonly(),
  })
  .readonly();
export type WriteRules = z.output<typeof writeRules>;

const member = { member_id: z.string() };

export const workspaceKinds = {
  'workspace.created': entryKind({
    body: z.strictObject({ name: z.string(), plan }).readonly(),
    audience: 'governance',
  }),
  'workspace.renamed': entryKind({ body: z.strictObject({ name: z.string() }).readonly(), audience: 'governance' }),
  /** The operator of the service changed what the workspace may use from this entry on. */
  'workspace.provisioned': entryKind({
    body: z
      .strictObject({
        plan,
        memory_api: z.boolean(),
        // The actions a month that were agreed, on the plan enterprise. They are shown as the limit, and stop nothing.
        actions: z.int().min(1).optional(),
      })
      .readonly(),
    audience: 'governance',
  }),
  /** Whether task receipts from this entry on are public, and the name of the workspace for the public. */
  'workspace.publishing_changed': entryKind({
    body: z.strictObject({ publish_task_receipts: z.boolean(), public_tag: z.string() }).readonly(),
    audience: 'governance',
  }),
  'rules.changed': entryKind({
    body: writeRules,
    audience: 'governance',
    // Before rules could hold writes, entries had no ask_owner.
    upcasts: [(stored) => ({ ...stored, ask_owner: stored.ask_owner ?? [] })],
  }),
  'member.added': entryKind({
    body: z.strictObject({ ...member, role, account_commitment: commitment }).readonly(),
    audience: 'governance',
    vault: (body) => ({ texts: { content: body.account_commitment } }),
  }),
  'member.changed': entryKind({ body: z.strictObject({ ...member, role }).readonly(), audience: 'governance' }),
  /** A new commitment to the whole account. The earlier account in the vault is destroyed. */
  'member.password_changed': entryKind({
    body: z.strictObject({ ...member, account_commitment: commitment, replaced_receipt_id: z.string() }).readonly(),
    audience: 'governance',
    vault: (body) => ({ texts: { content: body.account_commitment } }),
    erases: (body) => [body.replaced_receipt_id],
  }),
  'member.removed': entryKind({
    body: z.strictObject({ ...member, added_receipt_id: z.string() }).readonly(),
    audience: 'governance',
    erases: (body) => [body.added_receipt_id],
  }),
};
