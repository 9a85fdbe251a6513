import type { Refusal } from '../../../contracts/errors.js';
import type { RefusalOfTool } from '../tool.js';
import { RpcError, rpcCodes } from './rpc.js';

/**
 * The error for a refusal of anything but a tool: what the arguments of the request are to blame for, and what does not exist,
 * are errors about the arguments.
 */
export function errorOf(refusal: Refusal, requestId: string): RpcError {
  const { status, message, code, details } = refusal;
  if (status === 400 || status === 404) return new RpcError(rpcCodes.invalidParams, message, aboutArguments(refusal));
  if (status === 500) return internal(requestId);
  const data = { code, details, request_id: requestId };
  return new RpcError(rpcCodes.refused, message, data, isAboutClient(refusal) ? status : 200);
}

/** The error for a refusal of a whole request, before its messages are known. */
export function httpErrorOf(refusal: Refusal, requestId: string): RpcError {
  const { status, message, code, details } = refusal;
  if (status === 500) return internal(requestId);
  if (status === 400) return new RpcError(rpcCodes.notJson, message, undefined, status);
  return new RpcError(rpcCodes.refused, message, { code, details, request_id: requestId }, status);
}

/** The result of a tool that says to the model what to do. @throws RpcError for a refusal that the model can do nothing about */
export function refusedCall(refusal: Refusal, requestId: string): object {
  if (isAboutArguments(refusal) || refusal.status === 500 || isAboutClient(refusal)) throw errorOf(refusal, requestId);
  return failedCall(refusal.code, sentenceOf(refusal), refusal.details);
}

/** A result of a tool that says why nothing was done. */
export function failedCall(code: string, sentence: string, details: Readonly<Record<string, unknown>>): object {
  return { content: [{ type: 'text', text: `${code}: ${sentence}` }], ...errorMembers({ code, details }) };
}

/** The members of each result that says that nothing was done. */
export const errorMembers = ({ code, details }: RefusalOfTool) => ({
  isError: true,
  _meta: { 'counterfoil/error': { code, details } },
});

/** No argument of a tool can name the agent that a connection lacks. */
const isAboutArguments = ({ status, code }: Refusal): boolean => status === 400 && code !== 'agent_required';

/** Whether a refusal concerns the client and every call that it can make: the status of HTTP says so. */
const isAboutClient = ({ status, code }: Refusal): boolean => status === 401 || code === 'agent_not_linked';

const internal = (request_id: string): RpcError =>
  new RpcError(rpcCodes.internal, 'The service has failed. Retry with backoff.', { request_id });

export function sentenceOf({ code, message, details }: Refusal): string {
  const seconds = details.retry_after_seconds;
  return code === 'rate_limited' && typeof seconds === 'number' ? `wait ${seconds} seconds. ${message}` : message;
}

/** The data of an error about arguments: the code of the API, and each argument with what is wrong with it. */
function aboutArguments(refusal: Refusal): Readonly<Record<string, unknown>> {
  const { code, message, details } = refusal;
  const issues = Array.isArray(details.issues) ? details.issues : [{ path: argumentOf(refusal), message }];
  // The protocol wants the address of a resource that does not exist beside the code.
  return { code, issues, ...(typeof details.uri === 'string' && { uri: details.uri }) };
}

/** The argument that a refusal is about: named by its details, at the beginning of its message, or by its code. */
function argumentOf({ code, message, details }: Refusal): string {
  if (typeof details.path === 'string') return details.path;
  const [, named] = /^([\w$./-]+): /.exec(message) ?? /the field "([^"]*)"/.exec(message) ?? [];
  return named ?? (/^invalid_(?!request$|json$)/.test(code) ? code.replace('invalid_', '') : '');
}
