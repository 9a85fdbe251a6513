import { RawJson, stringify } from '../../domain/json-text.js';
import type { RpcError } from './rpc-error.js';

/** The text of a response with a result. @param id the literal of the request */
export function resultText(id: string, result: object): string {
  return stringify({ jsonrpc: '2.0', id: new RawJson(id), result });
}

/** The text of a response with an error. @param id the literal of the request; where it cannot be known, see `unknownId` */
export function errorText(id: string | null | undefined, { code, message, data }: RpcError): string {
  return stringify({
    jsonrpc: '2.0',
    id: typeof id === 'string' ? new RawJson(id) : id,
    error: { code, message, data },
  });
}
