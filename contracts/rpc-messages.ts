/** A message of JSON-RPC 2.0 with named parameters. */
export interface RpcMessage {
  /** Exactly as it was sent, such as `1.0`, `1e3` or a number of 30 digits; null for a notification. */
  readonly id: string | null;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The text of the parameter `arguments`, exactly as it was sent; empty if it is absent. */
  readonly argumentsText: string;
}

export interface RpcMessages {
  readonly messages: readonly RpcMessage[];
  /** Whether they were sent as a list. */
  readonly isBatch: boolean;
}

/** The reason why a body is refused. It can be sent between threads, which an error cannot. */
export interface RefusedMessages {
  readonly refused: 'not JSON' | 'not a request';
  /** A sentence. */
  readonly why: string;
  /** The id of the message if it stands alone and has one; otherwise null. */
  readonly id: string | null;
  /** How many messages of the body name a method; null if that cannot be known. */
  readonly named: number | null;
}
