import { isObject } from '../../src/base/json-text.js';
import type { mounted } from './harness.js';

type Send = ReturnType<typeof mounted>['send'];

export const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A message of the stateless era, and its headers. */
export function stateless(method: string, params: Readonly<Record<string, unknown>> = {}, id: unknown = 1) {
  const { _meta, ...rest } = params;
  const name = rest.name ?? rest.uri;
  return {
    body: { jsonrpc: '2.0', id, method, params: { ...rest, _meta: { ...meta, ...(isObject(_meta) ? _meta : {}) } } },
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && /^(tools\/call|prompts\/get|resources\/read)$/.test(method)
        ? { 'mcp-name': name }
        : {}),
    },
  };
}

export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what came, and says what it must be
  readonly message: any;
}

/** The ways in which one request can be sent; each gives the response to it. */
export const forms: Readonly<
  Record<string, (send: Send, method: string, params: Record<string, unknown>) => Promise<Answered>>
> = {
  single: async (send, method, params) => {
    const { status, json } = await send({ jsonrpc: '2.0', id: 1, method, params });
    return { status, message: json };
  },
  batch: async (send, method, params) => {
    const ping = { jsonrpc: '2.0', id: 'p', method: 'ping' };
    const { status, json } = await send([ping, { jsonrpc: '2.0', id: 1, method, params }, ping]);
    return { status, message: json[1] };
  },
  'session era': async (send, method, params) => {
    const headers = { 'mcp-protocol-version': '2025-06-18', 'mcp-session-id': 'a session' };
    const { status, json } = await send({ jsonrpc: '2.0', id: 1, method, params }, headers);
    return { status, message: json };
  },
  stateless: async (send, method, params) => {
    const { body, headers } = stateless(method, params);
    const { status, json } = await send(body, headers);
    return { status, message: json };
  },
};
