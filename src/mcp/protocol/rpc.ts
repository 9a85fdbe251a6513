import { RawJson, stringify } from '../../base/json-text.js';

/** The codes of JSON-RPC 2.0 and of MCP that this server answers with. */
export const rpcCodes = {
  notJson: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  refused: -32000,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

type RpcCode = (typeof rpcCodes)[keyof typeof rpcCodes];

/** The member `error` of an error of JSON-RPC. */
export interface RpcFault {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An error that a client gets as an error of JSON-RPC. It is thrown, and rendered at the edge. */
export class RpcError extends Error {
  override name = 'RpcError';

  constructor(
    readonly code: RpcCode,
    message: string,
    readonly data?: Readonly<Record<string, unknown>>,
    /** Of the answer, if the message stands alone. */
    readonly status: number = 200,
  ) {
    super(message);
  }
}

/** The text of a response with a result. @param id the literal of the request */
export function resultText(id: string, result: object): string {
  return stringify({ jsonrpc: '2.0', id: new RawJson(id), result });
}

/** The text of a response with an error. @param id the literal of the request; where it cannot be known, see `unknownId` */
export function errorText(id: string | null | undefined, { code, message, data }: RpcFault): string {
  return stringify({
    jsonrpc: '2.0',
    id: typeof id === 'string' ? new RawJson(id) : id,
    error: { code, message, data },
  });
}
