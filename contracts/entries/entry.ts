/**
 * One entry of a workspace's chain: what is hashed, stored as canonical bytes and answered with a receipt.
 * Content, metadata and query text never stand here, only commitments to them (see the vault).
 */
export interface Provenance {
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly app_id: string | null;
  readonly run_id: string | null;
}

/** The ways by which a request reaches the service when it does not come over its REST interface. */
export type Transport = 'mcp' | 'kafka' | 'otlp' | 'cli';

export interface Actor extends Provenance {
  readonly type: 'system' | 'key' | 'person';
  readonly id: string | null;
  /** The transport of the request. A request over REST leaves it unset, and so do all entries from before there were others. */
  readonly via?: Transport;
}

/** What a person may do in a workspace; `none` may not even look. */
export type Role = 'owner' | 'admin' | 'member' | 'reader' | 'none';

/** Holds the writes to which everything that it names applies, until somebody has approved them. */
export interface AskRule {
  readonly namespace_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly app_id?: string | undefined;
  readonly source?: string | undefined;
  /** Of content, in UTF-8. */
  readonly min_bytes?: number | undefined;
}

/** What a workspace asks of writes. */
export interface WriteRules {
  /** Nobody writes but people who are signed in. */
  readonly pause_all: boolean;
  /** What becomes of sensitive values: `[redacted]` in their place, or a refusal of what holds them. */
  readonly sensitive: 'redact' | 'reject';
  readonly ask_owner: readonly AskRule[];
}

export const plans = ['free', 'pro', 'team', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** What can wait for an approval. */
export type ApprovalKind = 'write' | 'bulk_delete';

/** What a write or a delete was allowed by. */
export interface ApprovalUse {
  readonly approval_id: string;
  readonly requested_receipt_id: string;
}

/** Lowercase hex of HMAC-SHA-256(salt, UTF-8 bytes); the salt lives in the vault and dies with what it hides. */
export type Commitment = string;

/** Every entry kind with the shape of its body. A new kind is a new line here, and the compiler finds every fold. */
export interface Bodies {
  'workspace.created': { readonly name: string; readonly plan: Plan };
  /** By whoever runs the service: what the workspace has been given from here on. */
  'workspace.provisioned': { readonly plan: Plan; readonly memory_api: boolean };
  'member.added': { readonly member_id: string; readonly role: Role; readonly account_commitment: Commitment };
  'member.changed': { readonly member_id: string; readonly role: Role };
  /** Commits to the whole account again; what stood in the vault for it before is destroyed. */
  'member.password_changed': {
    readonly member_id: string;
    readonly account_commitment: Commitment;
    readonly replaced_receipt_id: string;
  };
  'member.removed': { readonly member_id: string; readonly added_receipt_id: string };
  'workspace.renamed': { readonly name: string };
  /** Entries from before rules could ask have no `ask_owner`. */
  'rules.changed': Omit<WriteRules, 'ask_owner'> & Partial<Pick<WriteRules, 'ask_owner'>>;
  /** Something was not done and waits for somebody's word. What it was is only committed to. */
  'approval.requested': {
    readonly approval_id: string;
    readonly approval_kind: ApprovalKind;
    readonly request_commitment: Commitment;
    /** The namespaces that it is about. */
    readonly namespace_ids: readonly string[];
    readonly summary: string;
    readonly expires_at: string;
  };
  /** That word. */
  approval: {
    readonly approval_id: string;
    readonly decision: 'approved' | 'rejected';
    readonly requested_receipt_id: string;
    readonly namespace_ids: readonly string[];
  };
  'namespace.created': {
    readonly namespace_id: string;
    readonly name: string;
    readonly is_default: boolean;
    readonly text_config: string;
  };
  'namespace.renamed': { readonly namespace_id: string; readonly name: string };
  /** After its memories were moved to another one, `moved` of them by this request. */
  'namespace.deleted': { readonly namespace_id: string; readonly moved_to: string | null; readonly moved: number };
  'key.created': {
    readonly key_id: string;
    readonly name: string;
    readonly scopes: readonly string[];
    readonly namespace_ids: readonly string[];
    readonly user_id: string | null;
    readonly agent_id: string | null;
    readonly app_id: string | null;
    readonly secret_commitment: Commitment;
  };
  'key.bound': { readonly key_id: string; readonly namespace_ids: readonly string[] };
  /** An agent's identity speaks for itself in this workspace from here on, with its token or by its id. */
  'agent.linked': {
    readonly link_id: string;
    readonly agent_id: string;
    readonly name: string | null;
    readonly token_commitment: Commitment;
  };
  'agent.unlinked': { readonly link_id: string; readonly agent_id: string; readonly linked_receipt_id: string };
  /** `namespace_ids` are those whose memories it is told of; null means all of the workspace. */
  'webhook.created': {
    readonly webhook_id: string;
    readonly agent_id: string;
    readonly name: string | null;
    readonly namespace_ids: readonly string[] | null;
    /** To the address, the secret and the pattern. */
    readonly target_commitment: Commitment;
  };
  'webhook.deleted': { readonly webhook_id: string; readonly agent_id: string; readonly created_receipt_id: string };
  'key.revoked': { readonly key_id: string; readonly created_receipt_id: string };
  'memory.write': {
    readonly memory_id: string;
    readonly job_id: string;
    readonly namespace_id: string;
    readonly content_commitment: Commitment;
    readonly metadata_commitment: Commitment;
    readonly source_commitment: Commitment | null;
    /** Only of what was imported from a file or a URL. */
    readonly label_commitment?: Commitment;
    readonly content_bytes: number;
    readonly playground: boolean;
    /** Only of a write that had been held. */
    readonly approval?: ApprovalUse;
  };
  /** Into another namespace; `from` is about to be deleted. */
  'memory.moved': {
    readonly memory_id: string;
    readonly from: string;
    readonly to: string;
    readonly write_receipt_id: string;
  };
  'memory.delete': {
    readonly memory_id: string;
    readonly namespace_id: string;
    readonly write_receipt_id: string;
    readonly write_receipt_hash: string;
    /** Only of a bulk delete. */
    readonly approval?: ApprovalUse;
  };
  'memory.recall': {
    readonly query_commitment: Commitment;
    readonly namespace_ids: readonly string[];
    readonly mode: string;
    readonly degraded: readonly string[];
    readonly k: number;
    readonly results: readonly { readonly memory_id: string; readonly receipt_hash: string }[];
  };
  /** A signing key, in the public log before its first use. `leaf` is the log's leaf as canonical JSON. */
  'log.key_added': { readonly index: number; readonly leaf: string };
  /** A signing key of the public log was retired, or one that should not be there disowned; `leaf` says which. */
  'log.key_ended': { readonly index: number; readonly leaf: string };
  /** Heads of workspaces, in the public log from leaf `from` on. */
  'log.heads_added': {
    readonly from: number;
    readonly heads: readonly { readonly workspace_id: string; readonly size: number; readonly leaf: string }[];
  };
  /** A signed note over the public log; `root` in hex. */
  'checkpoint.signed': { readonly size: number; readonly root: string; readonly note: string };
  /** The same note with the cosignatures of witnesses. */
  'checkpoint.cosigned': { readonly size: number; readonly note: string; readonly witnesses: readonly string[] };
  /** A timestamp of the SHA-256 of a checkpoint's text, as an .ots file in base64; what calendars promise. */
  'anchor.submitted': { readonly size: number; readonly digest: string; readonly ots: string };
  /** The same timestamp with the attestation of a Bitcoin block in it. */
  'anchor.attested': { readonly size: number; readonly ots: string; readonly heights: readonly number[] };
  /** The block was seen to hold it; `header` in hex. */
  'anchor.confirmed': {
    readonly size: number;
    readonly height: number;
    readonly header: string;
    readonly block_hash: string;
    readonly block_time: string;
  };
  /** A block that held it is not in the chain any more. */
  'anchor.lost': { readonly size: number; readonly height: number; readonly block_hash: string };
}

export type EntryKind = keyof Bodies;

interface EntryOf<K extends EntryKind> {
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

/** The closed union over all kinds: switch on `kind`, and let `never` stand in the default. */
export type Entry = { [K in EntryKind]: EntryOf<K> }[EntryKind];

/** An entry that has been decided but has no place in the chain yet. */
export type Draft = { [K in EntryKind]: Omit<EntryOf<K>, 'v' | 'workspace_id' | 'seq' | 'prev_hash'> }[EntryKind];
