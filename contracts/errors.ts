/**
 * Every refusal of the service: code, HTTP status and the sentence that is used when the place that refuses gives no
 * other one. Callers match on the code; the sentence may change. A code that is not here cannot be thrown.
 */
export const errors = {
  invalid_json: [400, 'The body is not a JSON object.'],
  invalid_name: [400, 'name must have 1 to 64 characters and no control characters.'],
  invalid_move_to: [400, 'move_to must name another namespace than the deleted one.'],
  too_many_namespaces: [400, 'A key can be limited to at most 1000 namespaces.'],
  invalid_cursor: [400, 'This cursor was not returned by this list. Start again without it.'],
  invalid_kind: [400, 'kind must be text, file or url.'],
  invalid_content: [400, 'content must be a non-empty string of valid Unicode without NUL.'],
  invalid_metadata: [400, 'metadata must be a JSON object of valid Unicode without NUL.'],
  invalid_source: [400, 'source must be a string of valid Unicode without NUL, or null.'],
  invalid_namespace: [400, 'namespace must be a string: the id or the name of a namespace.'],
  invalid_reason: [400, 'reason must be a string of 1 to 1024 characters of valid Unicode without NUL.'],
  invalid_superseded_by: [400, 'superseded_by must be the id of another memory.'],
  namespace_required: [400, 'Name a namespace: this workspace has no default one.'],
  invalid_sort: [400, 'sort must be newest.'],
  invalid_pagination: [400, 'Send cursor or page, not both.'],
  invalid_page: [400, 'page must be a whole number from 1.'],
  use_cursor_pagination: [400, 'Pages end at offset 10000. Use cursor beyond it.'],
  invalid_namespace_ids: [400, 'namespace ids must be a list of 1 to 100 namespace ids.'],
  invalid_query: [400, 'query must be a string of 1 to 2000 characters.'],
  invalid_agent_id: [400, 'agent_id must be a string.'],
  invalid_k: [400, 'k must be a whole number from 1 to 50.'],
  invalid_token_budget: [400, 'token_budget must be a whole number from 200 to 32000.'],
  invalid_filters: [400, 'filters has an unknown key or a value of the wrong type.'],
  unknown_field: [400, 'The body has an unknown field.'],
  invalid_agn_id: [400, 'id must be agn_ and 32 characters of a-z and 2-7.'],
  invalid_proof: [400, 'The proof does not show that the key of this identity is held.'],
  challenge_expired: [400, 'This challenge has expired or was used. Get another one from GET /v1/agent-id/challenge.'],
  invalid_request: [400, 'A parameter has a wrong value.'],
  invalid_stage: [400, 'stage must name stages of an ingest job.'],
  invalid_receipt: [400, 'A task receipt is not as its schema says.'],
  server_assigned_field: [400, 'A task receipt has a member that only the service assigns.'],
  content_rejected: [400, 'Sensitive values were found, and this workspace refuses them. Nothing was written.'],
  invalid_public_key: [
    400,
    'public_key must be an Ed25519, P-256 or secp256k1 public key as JWK, PEM, did:key, multibase, hex or base64url.',
  ],
  invalid_bundle: [400, 'This is not a proof bundle.'],
  invalid_file: [400, 'A file import needs filename and valid base64 in data_base64.'],
  invalid_url: [
    400,
    'url must be an absolute http or https address of up to 2048 characters without user name or password.',
  ],
  url_not_allowed: [400, 'This address is private, local or on a non-standard port.'],
  invalid_ids: [400, 'ids must be a non-empty list of memory ids.'],
  too_many_ids: [400, 'A bulk delete takes at most 1000 ids.'],
  too_many_memories: [400, 'A batch takes at most 1000 memories.'],
  too_many_selected: [400, 'The filter selects more than 100,000 memories. No approval was requested.'],
  agent_required: [400, 'Name the agent that owns the webhooks in the header x-service-agent.'],
  invalid_symbol: [400, 'symbol must be the symbol of a capability, such as CODE.REVIEW.'],
  invalid_theme: [400, 'theme must be dark or light.'],
  invalid_dimension: [400, 'w must be a whole number from 160 to 480, and h one from 60 to 160.'],
  unauthorized: [401, 'Send an API key: Authorization: Bearer ak_…'],
  session_expired: [401, 'This session has ended. Sign in again.'],
  invalid_session: [401, 'The e-mail address or the password is wrong.'],
  plan_action_limit: [
    402,
    'The actions of this month are used up. Nothing was written; the count starts again on the 1st.',
  ],
  plan_memory_limit: [402, 'The plan allows no more memories. Nothing was written.'],
  plan_people_limit: [402, 'The plan allows no more people. No one was added.'],
  csrf: [403, 'A request with a session cookie must come from this site.'],
  workspace_role_required: [403, 'You have no role in this workspace.'],
  read_only: [403, 'Your role may read and not write.'],
  admin_required: [403, 'Only an owner or admin who is signed in may do this.'],
  user_session_required: [403, 'Only a person who is signed in may do this.'],
  namespace_management_forbidden: [403, 'Only an owner or admin who is signed in manages namespaces.'],
  key_binding_forbidden: [403, 'Only an owner or admin limits keys to namespaces.'],
  key_out_of_scope: [403, 'This key belongs to another workspace.'],
  credential_not_supported: [403, 'This kind of credential is not accepted here. Use an API key (ak_…).'],
  insufficient_scope: [403, 'This key is limited by its scopes, and this request needs another scope.'],
  key_has_no_namespaces: [403, 'This key may use no namespace.'],
  namespace_out_of_scope: [403, 'This key may not use this namespace.'],
  memory_out_of_scope: [403, 'The memory is in a namespace that this key may not use.'],
  job_out_of_scope: [403, 'The job is in a namespace that this key may not use.'],
  agent_not_linked: [403, 'The agent in x-service-agent is not linked to this workspace.'],
  approval_invalid: [403, 'This approval does not allow exactly this request.'],
  not_found: [404, 'The memory API is switched off.'],
  feature_not_enabled: [404, 'The memory API is switched off for this workspace.'],
  nothing_selected: [404, 'The filter selects no memory that you reach. No approval was requested.'],
  approval_not_found: [404, 'There is no approval with that id.'],
  route_not_found: [404, 'There is no such route or method.'],
  namespace_not_found: [404, 'There is no namespace with that id or name.'],
  namespace_deleted: [404, 'This namespace was deleted.'],
  key_not_found: [404, 'There is no active API key with that id in this workspace.'],
  agent_not_found: [404, 'There is no linked agent with that id.'],
  grant_not_found: [404, 'There is no grant with that id.'],
  attestation_key_not_found: [404, 'There is no attestation key with that id.'],
  session_not_found: [404, 'You have no session with that id.'],
  member_not_found: [404, 'There is no member with that id.'],
  memory_not_found: [404, 'There is no memory with that id.'],
  webhook_not_found: [404, 'This agent has no webhook with that id.'],
  delivery_not_found: [404, 'This webhook has no delivery with that id.'],
  job_not_found: [404, 'There is no job with that id.'],
  alert_not_found: [404, 'You have no alert with that id.'],
  receipt_not_found: [404, 'There is no receipt with that id.'],
  close_not_found: [404, 'That day has not closed.'],
  feedback_not_found: [404, 'There is no feedback about that agent for that epoch.'],
  checkpoint_not_found: [404, 'No checkpoint has been signed yet.'],
  tile_not_found: [404, 'The newest checkpoint does not cover this tile.'],
  request_timeout: [408, 'The request was not complete in time.'],
  headers_too_large: [431, 'The address and the headers of a request have at most 32 KiB.'],
  method_not_allowed: [405, 'This path does not support that method.'],
  unsupported_file: [415, 'Import reads PDF and text files.'],
  unsupported_url: [415, 'Import does not read pages of this content type.'],
  unreadable_pdf: [422, 'This PDF cannot be read.'],
  no_text: [422, 'There is no text to store. Nothing was written.'],
  no_workspace: [409, 'No workspace has a member with the e-mail address of this sign-in. Ask an owner to add it.'],
  approval_required: [409, 'The owner must approve this first. Repeat the request with the approval after that.'],
  approval_limit: [409, 'Ten deletes by filters wait for a decision already. Have them decided first.'],
  approval_decided: [409, 'This approval was decided already, or has expired.'],
  agent_exists: [409, 'This agent is linked to this workspace already.'],
  attestation_key_limit: [409, 'The workspace has 100 attestation keys. Remove one first.'],
  member_exists: [409, 'A member with that e-mail address exists already.'],
  subscription_limit: [409, 'The agent has 50 webhooks, or the workspace has 500.'],
  watchlist_full: [409, 'The watchlist has as many items of this kind as it may have. Remove one first.'],
  alert_limit: [409, 'You have as many alerts as you may have. Delete one first.'],
  last_owner: [409, 'A workspace must have at least one owner.'],
  receipt_conflict: [409, 'Another task receipt of this workspace has that receipt_id.'],
  namespace_name_conflict: [409, 'Another namespace has that name.'],
  ambiguous_id: [409, 'Several memories have this short id. Send the whole id.'],
  memory_invalidated: [409, 'The memory is invalidated already.'],
  memory_not_invalidated: [409, 'The memory is not invalidated.'],
  cannot_delete_default_namespace: [409, 'The default namespace cannot be deleted.'],
  namespace_not_empty: [
    409,
    'The namespace contains memories. Name another namespace in move_to, or delete the memories.',
  ],
  operation_running: [409, 'A job of this kind has not ended yet. Wait for its end, or look at it by its id.'],
  job_not_retryable: [409, 'This job is still running or already done.'],
  body_too_large: [413, 'The request body is over 8 MiB.'],
  receipt_too_large: [413, 'A task receipt is over a limit of its size.'],
  content_too_large: [413, 'content is over 1 MiB of UTF-8.'],
  source_too_large: [413, 'The file or page is over 5 MiB.'],
  metadata_too_large: [413, 'metadata is over 64 KiB of JSON.'],
  tenant_paused: [423, 'The owner has paused every agent. Nothing was written; only the owner can resume them.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used for another request within the last 24 hours.'],
  account_locked: [429, 'Too many failed attempts to sign in. Wait as long as Retry-After says.'],
  too_many_streams: [429, 'Too many streams of the terminal are open. Close one, or wait as long as Retry-After says.'],
  rate_limited: [429, 'Too many requests. Wait as long as Retry-After says.'],
  internal_error: [500, 'The service has failed. Retry with backoff.'],
  fetch_failed: [502, 'The address could not be reached, answered an error, or redirected too often.'],
  receipt_unavailable: [503, 'The write could not be recorded as a receipt. Nothing was written; retry.'],
  approval_unavailable: [503, 'This needs an approval, and the approval could not be requested. Nothing was written.'],
  meter_unavailable: [503, 'The usage of the plan cannot be read. Nothing was written; retry.'],
  recall_receipt_unavailable: [503, 'The search could not be recorded as a receipt, so no hits are returned; retry.'],
  search_unavailable: [503, 'The search index does not answer, so nothing was searched. Retry as Retry-After says.'],
  memory_unavailable: [503, 'The stored webhooks cannot be read. Nothing has changed; retry.'],
  not_ready: [503, 'The service is starting or stopping, or its database does not answer. Retry shortly.'],
} as const satisfies Record<string, readonly [number, string]>;

/**
 * The message of a refusal when the store failed during a write and may have taken it all the same. The sentences of the
 * table that say that nothing was written are for failures before that.
 */
export const outcomeUnknown =
  'The write could not be recorded in time, and whether it was recorded is not known yet. Send it again with the same Idempotency-Key.';

export type ErrorCode = keyof typeof errors;

interface MemoryError {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
    readonly request_id: string;
  };
}

interface PlanLimit extends Readonly<Record<string, unknown>> {
  readonly error: ErrorCode;
  readonly message: string;
}

/** A refusal is a value that is thrown once and rendered once, at the edge. `details` never holds content or secrets. */
export class Refusal extends Error {
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    message: string = errors[code][1],
    readonly details: Readonly<Record<string, unknown>> = {},
    /** The cause of a failure of the service: for the log, never for the caller. */
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'Refusal';
    this.status = errors[code][0];
  }

  /** How long the caller has to wait before the same request may succeed; undefined where waiting does not help. */
  get retryAfterSeconds(): number | undefined {
    if (this.status === 503) return 1;
    const seconds = this.details.retry_after_seconds;
    return typeof seconds === 'number' ? seconds : undefined;
  }

  /** Limits of a plan have a body of their own. @param request_id what the log calls the request */
  body(request_id: string): MemoryError | PlanLimit {
    if (this.status === 402) return { error: this.code, message: this.message, ...this.details, request_id };
    return { error: { code: this.code, message: this.message, details: this.details, request_id } };
  }
}
