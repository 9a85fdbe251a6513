import type { Refusal } from '../../../contracts/errors.js';
import type { RpcMessage } from '../../domain/rpc-messages.js';
import type { Registry } from '../registry.js';
import type { Calling } from '../tool.js';

/** The server as clients show it to people. */
export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly websiteUrl: string;
  /** Absent with the setting MCP_ICONS=off. */
  readonly icons?: Registry['icons'];
}

/** A request that is being answered. */
export interface Asking {
  readonly message: RpcMessage;
  readonly calling: Calling;
  readonly requestId: string;
  /** The refusal for anything that was thrown; the causes of failures are logged. */
  refused(error: unknown): Refusal;
  readonly registry: Registry;
  readonly server: ServerInfo;
}
