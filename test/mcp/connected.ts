import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Service } from '../http/service.js';

/** An unmodified client that is connected with a key. */
export async function connected(service: Service, key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const url = new URL(`${service.app.server.listeningOrigin}/mcp`);
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
  );
  return client;
}

export interface ToolReply {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what came, no matter its shape, and says what it must be
  readonly structured: any;
  readonly isError: boolean;
  /** Of an error of JSON-RPC. */
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly error: any;
}

// biome-ignore lint/suspicious/noExplicitAny: the same
type Answered = any;

/** Sends one message and reads the answer, no matter what it is. */
export async function send(service: Service, key: string, method: string, params: unknown): Promise<Answered> {
  const response = await fetch(`${service.app.server.listeningOrigin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return response.json();
}

export async function callTool(
  service: Service,
  key: string,
  name: string,
  args: unknown,
  meta?: object,
): Promise<ToolReply> {
  const params = { name, arguments: args, ...(meta && { _meta: meta }) };
  const { result, error } = await send(service, key, 'tools/call', params);
  return {
    text: result?.content?.[0]?.text ?? '',
    structured: result?.structuredContent,
    isError: result?.isError === true,
    error,
  };
}
