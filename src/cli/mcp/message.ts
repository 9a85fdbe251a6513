import { type Part, partsOf } from '../../base/json-outline.js';
import { isObject } from '../../base/json-text.js';
import { errorText, type RpcFault } from '../../mcp/protocol/rpc.js';

/** One line of a client: a message or a batch of messages. */
export interface Message {
  /** Its value; undefined when the line is not JSON. */
  readonly value: unknown;
  readonly text: string;
}

export function readMessage(bytes: Uint8Array): Message {
  const text = Buffer.from(bytes).toString('utf8');
  try {
    return { value: JSON.parse(text), text };
  } catch {
    return { value: undefined, text };
  }
}

/** Whether the message begins a session, or a batch contains a message that does. */
export function initializes({ value }: Message): boolean {
  return (Array.isArray(value) ? value : [value]).some((one) => isObject(one) && one.method === 'initialize');
}

/** The id of an error where that of the request cannot be read: null, or no id at all. See `unknownId`. */
type NoId = null | undefined;

/**
 * The line that answers every request of the message with this error; undefined when nothing in it is answered. What is
 * neither a request, a notification nor a response is answered with `noId`.
 */
export function refusal({ value, text }: Message, error: RpcFault, noId: NoId): string | undefined {
  const isBatch = Array.isArray(value) && value.length > 0;
  const ids = isBatch
    ? partsOf(text, 2).flatMap(({ parts }, at) => idsOf(value[at], parts, text))
    : idsOf(value, partsOf(text, 1), text);
  if (ids.length === 0) return undefined;
  const answers = ids.map((id) => errorText(id ?? noId, error)).join(',');
  return isBatch ? `[${answers}]` : answers;
}

/** The answer to a line that is too long to be read, of which the beginning and the tail are known. */
export function refusalOfCut(beginning: Uint8Array, tail: Uint8Array, error: RpcFault, noId: NoId): string {
  const [, first] = idAtBeginning.exec(Buffer.from(beginning).toString('utf8', 0, 1024)) ?? [];
  const [, last] = idAtEnd.exec(Buffer.from(tail).toString('utf8')) ?? [];
  return errorText(first ?? last ?? noId, error);
}

const string = String.raw`"(?:[^"\\]|\\.)*"`;
const id = String.raw`"id"\s*:\s*(${string}|-?\d[\d.eE+-]*)\s*`;
/** After the first members of an object, if these are strings. */
const idAtBeginning = new RegExp(String.raw`^\s*\{\s*(?:${string}\s*:\s*${string}\s*,\s*)*?${id},`);
/** Only the end of the whole object has no further brace after it. */
const idAtEnd = new RegExp(String.raw`[,{]\s*${id}\}\s*$`);

/** The ids that have to be answered, as they were written; null for one that cannot be read. */
function idsOf(value: unknown, parts: readonly Part[], text: string): (string | null)[] {
  if (!isObject(value)) return [null];
  if (typeof value.method !== 'string') return 'result' in value || 'error' in value ? [] : [null];
  if (!('id' in value)) return [];
  const written = parts.findLast(({ name }) => name === 'id');
  const isId = typeof value.id === 'string' || typeof value.id === 'number';
  return [isId && written ? text.slice(written.from, written.to) : null];
}
