import type { Caller } from '../domain/caller.js';
import { preferredWait } from '../domain/prefer.js';
import { admit } from './admission.js';
import type { Answer } from './answer.js';
import { refusalOfStore, unavailableCode } from './failures.js';
import type { Client, Identity, Operation, RawRequest, WorkspaceOperation } from './operation.js';
import type { RateLimits } from './rate-limits.js';
import type { Services } from './services.js';

export type { Caller };

/** A request of a caller whose identity is known already, as transports besides the REST routes make it. */
export interface Call {
  readonly caller: Caller;
  readonly client: Client;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** The JSON text of the body, or its bytes, exactly as the caller wrote it. */
  readonly body?: string | Uint8Array;
  readonly idempotencyKey?: string | undefined;
  /** Ends when the answer is not needed any more: a search stops then, and a write does not. */
  readonly signal?: AbortSignal;
  /** The preferences of the client, as the header Prefer has them. */
  readonly prefer?: string | undefined;
  /** For how many seconds at most to wait until what a write has begun is done; without it the answer comes at once. */
  readonly settleSeconds?: number | undefined;
  /**
   * Refuses what the transport sent and the operation cannot know of, such as a member with another name there. It runs when
   * the rights and the budget are known, because those are refused first. @throws Refusal
   */
  check?(): void;
}

export interface CallParts {
  readonly services: Services;
  readonly rateLimits: RateLimits;
}

/**
 * Calls an operation of the API as its REST route does: the rights and the budget of the workspace first, then the fields,
 * then the work. So a rule that holds for one transport holds for all of them. @throws Refusal as the route answers it
 */
export async function call(
  operation: WorkspaceOperation,
  { caller, client, params = {}, query = {}, body = '', idempotencyKey, check, signal, settleSeconds, prefer }: Call,
  { services, rateLimits }: CallParts,
): Promise<Answer> {
  const request = rawRequest(operation, { caller }, { client, params, query, body, idempotencyKey });
  try {
    await admit(operation, caller, rateLimits);
    check?.();
    const wait = preferredWait(prefer);
    const answer = await operation.answer({ ...request, preferredWait: wait, signal }, services);
    if (settleSeconds === undefined || !operation.settle) return answer;
    const patience = {
      seconds: Math.min(settleSeconds, wait ?? settleSeconds),
      signal: signal ?? new AbortController().signal,
    };
    return await operation.settle(answer, patience, services);
  } catch (error) {
    throw refusalOfStore(error, unavailableCode(operation.refusals), operation.method !== 'GET') ?? error;
  }
}

/** The same for an operation on sessions, whose client has proved its identity in another way or has none yet. */
export async function callAs(
  who: Exclude<Identity, { readonly caller: Caller }>,
  operation: Operation,
  { client, params = {}, query = {}, body = '' }: Pick<Call, 'client' | 'params' | 'query' | 'body'>,
  { services, rateLimits }: CallParts,
): Promise<Answer> {
  if (operation.addressLimit) await rateLimits.address(client.address, operation.addressLimit);
  const request = rawRequest(operation, who, { client, params, query, body, idempotencyKey: undefined });
  return operation.answer(request, services);
}

function rawRequest(
  operation: Operation,
  who: Identity,
  {
    client,
    params,
    query,
    body,
    idempotencyKey,
  }: Required<Pick<Call, 'client' | 'params' | 'query' | 'body' | 'idempotencyKey'>>,
): RawRequest {
  return {
    who,
    client,
    params,
    query,
    queryText: '',
    // The digest of an idempotency key covers the address: the same body to another operation is another request.
    url: Object.entries(params).reduce((path, [name, value]) => path.replace(`:${name}`, value), operation.path),
    body: typeof body === 'string' ? Buffer.from(body, 'utf8') : body,
    content: { type: 'application/json', encoding: '' },
    idempotencyKey,
  };
}
