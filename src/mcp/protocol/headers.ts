import type { McpHeaders } from '../credentials.js';

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
