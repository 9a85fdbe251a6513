import { z } from 'zod';
import type { Bodies, EntryKind } from './catalogue.js';

export type { ApprovalKind, ApprovalUse } from './approval.js';
export type { Bodies, EntryKind } from './catalogue.js';
export type { Commitment } from './kind.js';
export { type AskRule, type Plan, plans, type Role, type WriteRules } from './workspace.js';

const provenance = {
  user_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  app_id: z.string().nullable(),
  run_id: z.string().nullable(),
};

/** The ways by which a request reaches the service when it does not come over its REST interface. */
const transport = z.enum(['mcp', 'kafka', 'otlp', 'cli']);

/**
 * The person, the key, the agent key, the grant or the part of the service that an entry is from. Of a grant, `user_id` is
 * the person who gave it.
 */
export const actor = z
  .strictObject({
    type: z.enum(['system', 'key', 'person', 'agent_key', 'grant']),
    id: z.string().nullable(),
    ...provenance,
    /** Of a grant, the random id or the address of its client. Older entries have it as `app_id`. */
    client_id: z.string().exactOptional(),
    /**
     * The transport of the request. Requests over REST have none, and entries that are older than this member have none
     * either.
     */
    via: transport.exactOptional(),
  })
  .readonly();
export type Actor = z.output<typeof actor>;

/**
 * One entry of a chain: what is hashed, stored as canonical bytes and answered with a receipt. Content, metadata and query
 * text are never in an entry, only commitments to them (see the vault).
 */
interface OneOf<K extends EntryKind> {
  readonly v: 1;
  readonly workspace_id: string;
  readonly seq: number;
  readonly receipt_id: string;
  readonly kind: K;
  readonly recorded_at: string;
  readonly actor: Actor;
  readonly body: Bodies[K];
  readonly prev_hash: string;
}

/** An entry of one of these kinds. */
export type EntryOf<K extends EntryKind> = { [P in K]: OneOf<P> }[K];

/** The closed union over all kinds. */
export type Entry = EntryOf<EntryKind>;

/** An entry as a command decides it. The runner adds the actor and the time. */
export type Draft = { [K in EntryKind]: Pick<OneOf<K>, 'kind' | 'receipt_id' | 'body'> }[EntryKind];

/** An entry that has no place in the chain yet. */
export type Unlinked = { [K in EntryKind]: Omit<OneOf<K>, 'v' | 'workspace_id' | 'seq' | 'prev_hash'> }[EntryKind];
