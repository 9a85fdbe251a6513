import { Refusal } from '../../../contracts/errors.js';
import type { RefusedMessages, RpcMessage, RpcMessages } from '../../../contracts/rpc-messages.js';
import type { CallParts } from '../../api/call.js';
import { type FailureLog, refusalOf } from '../../api/failures.js';
import type { Client } from '../../api/operation.js';
import { isObject } from '../../base/json-text.js';
import type { McpClient, RequestHeaders } from '../credentials.js';
import type { Registry } from '../registry.js';
import { batchError, type Era, eraOf, serverKey } from './eras.js';
import { forVersion } from './members.js';
import { methodOf, type ServerInfo } from './methods.js';
import { idempotencyKeyOf, preferOf, runOf } from './parameters.js';
import type { MessageRates } from './rates.js';
import { errorOf } from './refusals.js';
import { errorText, RpcError, resultText, rpcCodes } from './rpc.js';
import { answeredVersion, newSessionLabel, unknownId } from './version.js';

export interface McpParts extends CallParts {
  readonly registry: Registry;
  readonly server: ServerInfo;
  readonly rates: MessageRates;
  /** See the setting MEMORY_API. */
  readonly memoryApi: boolean;
  readMessages(owner: string, body: Uint8Array): Promise<RpcMessages | RefusedMessages>;
}

/** A request whose client is known, and of which one message has been counted. */
export interface McpRequest {
  readonly from: McpClient;
  readonly client: Client;
  readonly headers: RequestHeaders;
  readonly body: Uint8Array;
  readonly requestId: string;
  readonly log: FailureLog;
  /** Ends when the connection does. */
  readonly signal: AbortSignal;
}

export interface McpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; null for an answer without a body. */
  readonly body: string | null;
}

/** The answer to one message. */
interface Outcome {
  readonly status: number;
  /** The text of a response of JSON-RPC. */
  readonly text: string;
}

/** Answers the messages of MCP clients. @throws Refusal when the client has sent too many messages */
export function createMcp(parts: McpParts): (request: McpRequest) => Promise<McpAnswer> {
  return async (request) => {
    const read = await parts.readMessages(request.from.caller.workspaceId, request.body);
    const tooMany = await countMessages(parts.rates, request.from, read);
    const noId = unknownId(request.headers);
    if ('refused' in read) return alone(unreadable(read, noId));
    const wrong = batchError(read, request.headers);
    if (wrong) return alone(failure(undefined, wrong));
    if (tooMany) throw tooMany;
    const era = eraOrError(read, request.headers);
    if (era instanceof RpcError) return alone(failure((read.isBatch ? null : read.messages[0]?.id) ?? noId, era));
    return answerAll({ ...parts, rateLimits: parts.rateLimits.ofOneCall() }, request, read, era);
  };
}

/** Answers the requests one after the other. Notifications have no answer. */
async function answerAll(
  parts: McpParts,
  request: McpRequest,
  { messages, isBatch }: RpcMessages,
  era: Era,
): Promise<McpAnswer> {
  const outcomes: Outcome[] = [];
  let begun: RpcMessage | undefined;
  for (const message of messages) {
    if (message.id === null || request.signal.aborted) continue;
    if (message.method === 'initialize') begun = message;
    const version = answeredVersion(request.headers, era, begun);
    outcomes.push(await answerMessage(parts, request, message, message.id, { era, version }));
  }
  const [first] = outcomes;
  if (!first) return { status: 202, headers: {}, body: null };
  const headers = era === 'session' && begun ? { 'mcp-session-id': newSessionLabel(begun) } : {};
  if (!isBatch) return { ...alone(first), headers };
  return { status: 200, headers, body: `[${outcomes.map(({ text }) => text).join(',')}]` };
}

function eraOrError(read: RpcMessages, headers: RequestHeaders): Era | RpcError {
  try {
    return eraOf(read, headers);
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
}

/**
 * Counts the messages of a body, of which one has been counted before it was read.
 * @returns the refusal if they are too many: what is wrong with their form is said first
 */
async function countMessages(
  rates: MessageRates,
  { countedBy }: McpClient,
  read: RpcMessages | RefusedMessages,
): Promise<Refusal | null> {
  const named = 'refused' in read ? read.named : read.messages.length;
  if (named === 0) await rates.giveBack(countedBy);
  if (named === null || named < 2) return null;
  return rates.count(countedBy, named - 1).then(
    () => null,
    (error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    },
  );
}

function unreadable({ refused, why, id }: RefusedMessages, noId: null | undefined): Outcome {
  const code = refused === 'not JSON' ? rpcCodes.notJson : rpcCodes.invalidRequest;
  return failure(id ?? noId, new RpcError(code, why, undefined, 400));
}

async function answerMessage(
  { services, rateLimits, registry, server, memoryApi }: McpParts,
  { from, client, headers, requestId, log, signal }: McpRequest,
  message: RpcMessage,
  id: string,
  { era, version }: { readonly era: Era; readonly version: string },
): Promise<Outcome> {
  const refused = (error: unknown): Refusal =>
    refusalOf(error, { log, route: '/mcp', unavailable: 'not_ready', writes: true });
  try {
    const method = methodOf(message.method, era);
    if (!method) throw unknownMethod(message.method, era);
    const { caller } = from;
    const calling = {
      services,
      rateLimits,
      client,
      signal,
      caller: {
        ...caller,
        actor: { ...caller.actor, run_id: runOf(message, headers, era) },
        memoryApi: caller.memoryApi && memoryApi,
      },
      idempotencyKey: idempotencyKeyOf(message),
      prefer: preferOf(message),
    };
    const result = await method.answer({ message, calling, requestId, registry, server, refused });
    const shown = forVersion(version, result);
    return success(id, era === 'stateless' ? { ...shown, ...envelope(shown, server, method.ttlMs) } : shown);
  } catch (error) {
    if (error instanceof RpcError) return failure(id, error);
    // No one reads the answer of a connection that has closed, and the search that it has stopped is no failure.
    if (signal.aborted) return failure(id, new RpcError(rpcCodes.refused, 'The connection was closed.'));
    return failure(id, errorOf(refused(error), requestId));
  }
}

const success = (id: string, result: object): Outcome => ({ status: 200, text: resultText(id, result) });

const failure = (id: string | null | undefined, error: RpcError): Outcome => ({
  status: error.status,
  text: errorText(id, error),
});

const alone = ({ status, text }: Outcome): McpAnswer => ({ status, headers: {}, body: text });

/** The members that the stateless era requires of every result. A result belongs to the client that has asked for it. */
function envelope(result: object, server: ServerInfo, ttlMs: number | undefined): object {
  const meta = '_meta' in result && isObject(result._meta) ? result._meta : {};
  const storing = ttlMs === undefined ? {} : { ttlMs, cacheScope: 'private' };
  return { resultType: 'complete', ...storing, _meta: { ...meta, [serverKey]: server } };
}

function unknownMethod(method: string, era: Era): RpcError {
  const shown = JSON.stringify(method.slice(0, 64).toWellFormed());
  return new RpcError(
    rpcCodes.methodNotFound,
    `There is no method ${shown} here.`,
    undefined,
    era === 'stateless' ? 404 : 200,
  );
}
