import { randomUUID } from 'node:crypto';
import type { RpcMessage } from '../../../contracts/rpc-messages.js';
import { headerText, type RequestHeaders } from '../credentials.js';
import { agreedVersion, type Era, sessionVersions, statelessVersions } from './eras.js';

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

/**
 * The version of which the answer to a message must be: without any sign of another one, the newest with sessions.
 * @param begun the message itself or one earlier in its batch, if that is `initialize`: its client has no label of a session yet
 */
export function answeredVersion(headers: RequestHeaders, era: Era, begun: RpcMessage | undefined): string {
  if (era === 'stateless') return statelessVersions[0];
  if (begun) return agreedVersion(begun.params.protocolVersion);
  const [, labelled] = /\.(\d{4}-\d\d-\d\d)$/.exec(headerText(headers['mcp-session-id']) ?? '') ?? [];
  const named = headerText(headers['mcp-protocol-version']) ?? labelled;
  return sessionVersions.find((version) => version === named) ?? sessionVersions[0];
}

/** The first version of which the schema takes an error without an id, and one whose id is null for none. */
const withoutIdSince = '2025-11-25';
const withoutId = [...sessionVersions, ...statelessVersions].filter((version) => version >= withoutIdSince);

/**
 * What an error has as its id when that of the request cannot be known: null, as JSON-RPC 2.0 says, unless the client names a
 * version whose schema refuses null; then the error has no id, as the transport of that version says.
 */
export function unknownId(headers: RequestHeaders): null | undefined {
  const named = headerText(headers['mcp-protocol-version']);
  return withoutId.some((version) => version === named) ? undefined : null;
}
