import type { Needs } from '../api/allowed.js';
import type { Caller, CallParts } from '../api/call.js';
import type { Client } from '../api/operation.js';

interface Described {
  readonly description: string;
}

/** JSON Schema of one value, in the subset that every client takes. */
export type ValueSchema =
  | ({
      readonly type: 'string';
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly format?: 'uuid' | 'uri' | 'date-time';
      readonly enum?: readonly string[];
    } & Described)
  | ({
      readonly type: 'integer';
      readonly minimum: number;
      readonly maximum: number;
      readonly default?: number;
    } & Described)
  | ({ readonly type: 'number'; readonly minimum: number; readonly maximum: number } & Described)
  | ({ readonly type: 'boolean' } & Described)
  | ({
      readonly type: 'array';
      readonly items: ValueSchema;
      readonly minItems?: number;
      readonly maxItems?: number;
    } & Described)
  | ({ readonly type: 'object'; readonly properties?: Readonly<Record<string, ValueSchema>> } & Described);

/** A JSON Schema of the subset that every client takes (docs/internals/extending.md). */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** The description of a tool that clients get. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly annotations: Readonly<Record<string, boolean | string>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The arguments of a tool or a prompt, checked to be one JSON object without equal keys. */
export interface Arguments {
  readonly value: Readonly<Record<string, unknown>>;
  /** Exactly as they were sent: metadata is stored with its key order and its numbers. */
  readonly text: string;
}

/** One call, with all that a tool may use. */
export interface Calling extends CallParts {
  /** With the run of the message. */
  readonly caller: Caller;
  readonly client: Client;
  /** Of the member `counterfoil/idempotencyKey` of `_meta`. */
  readonly idempotencyKey: string | undefined;
  /** Of the member `counterfoil/prefer` of `_meta`. */
  readonly prefer?: string | undefined;
  /** Ends when the connection does: a search stops then, and a write that has begun does not. */
  readonly signal: AbortSignal;
}

/** The refusal that a result names beside its text, in `_meta["counterfoil/error"]`. */
export interface RefusalOfTool {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The result of a call. Its text and its structured content each suffice alone. */
export interface ToolResult {
  readonly text: string;
  readonly structured: object;
  /** Why nothing of it was done, with a code of the API; unset when something was. */
  readonly error?: RefusalOfTool;
}

/**
 * A tool. A refusal is thrown as everywhere: the transport makes those with status 400 errors about arguments, and gives
 * the model a sentence about all others.
 */
export interface Tool {
  /** The operation that it calls: the tool is listed only for credentials that could ever call that. */
  readonly needs: Needs;
  readonly definition: ToolDefinition;
  /** @throws Refusal */
  call(args: Arguments, calling: Calling): Promise<ToolResult>;
}
