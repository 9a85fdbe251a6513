import { randomUUID } from 'node:crypto';
import type { RpcMessage } from '../../domain/rpc-messages.js';
import { agreedVersion, type Era, sessionVersions, statelessVersions } from './eras.js';
import { headerText, type RequestHeaders } from './headers.js';

/** The first version whose clients send the header of the version with each request. */
const namedSince = '2025-06-18';

/**
 * The label of a new session. No session is stored, and clients before 2025-06-18 name their version only once. So the label of their
 * session has it, and comes back with each of their requests.
 */
export function newSessionLabel({ params }: RpcMessage): string {
  const version = agreedVersion(params.protocolVersion);
  return version < namedSince ? `${randomUUID()}.${version}` : randomUUID();
}

/** The version of which the answer to a message must be: without any sign of another one, the newest with sessions. */
export function answeredVersion(message: RpcMessage, headers: RequestHeaders, era: Era): string {
  if (era === 'stateless') return statelessVersions[0];
  if (message.method === 'initialize') return agreedVersion(message.params.protocolVersion);
  const [, labelled] = /\.(\d{4}-\d\d-\d\d)$/.exec(headerText(headers['mcp-session-id']) ?? '') ?? [];
  const named = headerText(headers['mcp-protocol-version']) ?? labelled;
  return sessionVersions.find((version) => version === named) ?? sessionVersions[0];
}
