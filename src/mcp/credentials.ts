import type { GrantScope } from '../../contracts/grants.js';
import type { Caller } from '../api/call.js';

/** The headers that say who sends a message. */
export interface McpHeaders {
  readonly authorization?: string | undefined;
  readonly 'x-service-agent'?: string | string[] | undefined;
}

/** The client of a message: an agent key, or an access token that belongs to a grant. */
export interface McpClient {
  /**
   * `via` is `mcp` and `run_id` is null: the run is known per message. `scopes` always names `mcp:tools`, so that it is never
   * empty, which would mean a key without restrictions. `agent` is the agent of the key or grant, or the one that an
   * access token was sent with; the owner of subscriptions.
   */
  readonly caller: Caller;
  /** The id of the agent key or of the grant, by which its messages are counted. */
  readonly countedBy: string;
}

/**
 * Finds out who sends messages. @throws Refusal unauthorized for no credential or one that is not taken here;
 * insufficient_scope for an access token without mcp:tools; agent_not_linked
 */
export type IdentifyMcp = (headers: McpHeaders) => Promise<McpClient>;

/** An access token that the authorization server of this installation has signed for /mcp and that has not expired. */
export interface AccessToken {
  readonly grantId: string;
  readonly clientId: string;
  readonly scopes: readonly GrantScope[];
}

/** @returns null for anything else */
export type VerifyAccessToken = (token: string) => Promise<AccessToken | null>;

/** The headers of a request that MCP gives a meaning to. */
export interface RequestHeaders extends McpHeaders {
  readonly 'mcp-protocol-version'?: string | string[] | undefined;
  readonly 'mcp-method'?: string | string[] | undefined;
  readonly 'mcp-name'?: string | string[] | undefined;
  readonly 'mcp-session-id'?: string | string[] | undefined;
  readonly 'x-service-run'?: string | string[] | undefined;
}

/** The value of a header; undefined if it is absent. */
export function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}
