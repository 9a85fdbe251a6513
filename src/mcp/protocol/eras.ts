import type { RpcMessage, RpcMessages } from '../../../contracts/rpc-messages.js';
import { isObject } from '../../base/json-text.js';
import { headerText, type RequestHeaders } from '../credentials.js';
import { RpcError, rpcCodes } from './rpc.js';

/**
 * The versions of the protocol up to 2025-11-25 begin with `initialize`. Those from 2026-07-28 on have no session: each request
 * says in `_meta` and in headers what it is.
 */
export type Era = 'session' | 'stateless';

export const sessionVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
export const statelessVersions = ['2026-07-28'] as const;
/** The version that is offered to a client that asks for one that this server does not know. */
const [offeredVersion] = sessionVersions;

const isStateless = (version: unknown): boolean => statelessVersions.some((one) => one === version);

/** The version that `initialize` answers with. */
export const agreedVersion = (requested: unknown): string =>
  sessionVersions.find((one) => one === requested) ?? offeredVersion;

const reserved = 'io.modelcontextprotocol/';
const versionKey = `${reserved}protocolVersion`;
const capabilitiesKey = `${reserved}clientCapabilities`;
const clientKey = `${reserved}clientInfo`;
/** The member of `_meta` of every result in which the server names itself. */
export const serverKey = `${reserved}serverInfo`;

export function metaOf({ params }: RpcMessage): Readonly<Record<string, unknown>> {
  return isObject(params._meta) ? params._meta : {};
}

const versionOf = (headers: RequestHeaders): string | undefined => headerText(headers['mcp-protocol-version']);

const isOfStateless = ({ messages }: RpcMessages, headers: RequestHeaders): boolean =>
  isStateless(versionOf(headers)) || messages.some((message) => versionKey in metaOf(message));

/** The error for a batch of an era that has none; null for everything else. */
export function batchError(read: RpcMessages, headers: RequestHeaders): RpcError | null {
  if (!read.isBatch || !isOfStateless(read, headers)) return null;
  const sentence = `Version ${statelessVersions.join()} has no batches. Send each message by itself.`;
  return new RpcError(rpcCodes.invalidRequest, sentence, undefined, 400);
}

/** Finds out by which rules a request is answered. @throws RpcError if it breaks those rules */
export function eraOf(read: RpcMessages, headers: RequestHeaders): Era {
  const header = versionOf(headers);
  if (!isOfStateless(read, headers)) {
    if (header !== undefined && !sessionVersions.some((one) => one === header)) {
      throw unsupported(header, sessionVersions);
    }
    return 'session';
  }
  for (const message of read.messages) if (message.id !== null) requireEnvelope(message, headers, header);
  return 'stateless';
}

/** @throws RpcError unless `_meta` has what each request must say, and the headers say the same as the body */
function requireEnvelope(message: RpcMessage, headers: RequestHeaders, header: string | undefined): void {
  const meta = metaOf(message);
  const issues = envelopeIssues(meta);
  if (issues.length > 0) {
    const names = issues.map(({ path }) => path).join(', ');
    const data = { code: 'invalid_request', issues };
    throw new RpcError(rpcCodes.invalidParams, `Version ${header} requires of each request: ${names}.`, data, 400);
  }
  const version = String(meta[versionKey]);
  if (header !== version) throw mismatch('MCP-Protocol-Version', header, version);
  if (!isStateless(version)) throw unsupported(version, statelessVersions);
  requireSame('Mcp-Method', headerText(headers['mcp-method']), message.method);
  const named = nameOf(message);
  if (named !== undefined) requireSame('Mcp-Name', decoded(headerText(headers['mcp-name'])), named);
}

function envelopeIssues(meta: Readonly<Record<string, unknown>>) {
  const wrong = (key: string, message: string) => [{ path: `_meta.${key}`, message: `_meta.${key}: ${message}` }];
  return [
    ...(typeof meta[versionKey] === 'string' ? [] : wrong(versionKey, 'must be the version of the protocol.')),
    ...(isObject(meta[capabilitiesKey]) ? [] : wrong(capabilitiesKey, 'must be an object, which may be empty.')),
    ...(meta[clientKey] === undefined || isObject(meta[clientKey])
      ? []
      : wrong(clientKey, 'must be an object with name and version.')),
  ];
}

/** The parameter that the header Mcp-Name repeats. */
const nameParameters: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** @returns undefined for a message that has no name to repeat, and for one that lacks it, which is refused later */
function nameOf({ method, params }: RpcMessage): string | undefined {
  const parameter = Object.hasOwn(nameParameters, method) ? nameParameters[method] : undefined;
  const name = parameter === undefined ? undefined : params[parameter];
  return typeof name === 'string' ? name : undefined;
}

/** A value that a header cannot carry is sent in base64. @returns undefined for an absent header */
function decoded(header: string | undefined): string | undefined {
  const [, base64] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header ?? '') ?? [];
  return base64 === undefined ? header : Buffer.from(base64, 'base64').toString('utf8');
}

function requireSame(name: string, header: string | undefined, inBody: string): void {
  if (header !== inBody) throw mismatch(name, header, inBody);
}

function mismatch(name: string, header: string | undefined, inBody: string): RpcError {
  const said = header === undefined ? 'is missing' : `is ${shown(header)}`;
  return new RpcError(
    rpcCodes.headerMismatch,
    `The header ${name} ${said}, and the body says ${shown(inBody)}. Both must be the same.`,
    undefined,
    400,
  );
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 128).toWellFormed());

function unsupported(requested: string, supported: readonly string[]): RpcError {
  const sentence = `Requests of this form are answered for the versions ${supported.join(', ')}.`;
  return new RpcError(rpcCodes.unsupportedVersion, sentence, { supported, requested }, 400);
}
