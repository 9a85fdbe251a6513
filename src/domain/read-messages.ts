import { limits } from '../../contracts/limits.js';
import type { RefusedMessages, RpcMessage, RpcMessages } from '../../contracts/rpc-messages.js';
import { outlineOf, type Part } from '../base/json-outline.js';
import { isObject, parsedJson } from '../base/json-text.js';
import { utf8Text } from './read-json.js';

/** Levels of which the parts are needed: the messages of a batch, their members, and the members of their parameters. */
const levels = 3;

/**
 * Reads the messages of a body strictly: no duplicate keys at any level, and no more levels and values than the limits allow.
 * It is refused as a whole if one of its messages is not a request or a notification.
 */
export function tryMessages(bytes: Uint8Array): RpcMessages | RefusedMessages {
  const text = utf8Text(bytes);
  if (text === undefined) return notJson('The body is not UTF-8.');
  const outline = outlineOf(text, { depth: limits.jsonDepth, values: limits.jsonValues, levels });
  if (outline.depth > limits.jsonDepth) return notJson(`The body is nested deeper than ${limits.jsonDepth}.`);
  if (outline.values > limits.jsonValues) return notJson(`The body has more than ${limits.jsonValues} values.`);
  const value = parsedJson(text);
  if (value === undefined) return notJson('The body is not JSON.');
  if (outline.repeats) return notJson('The body has the same key twice in one object.');
  return Array.isArray(value) ? batchOf(text, value, outline.parts) : singleOf(text, value, outline.parts);
}

const notJson = (why: string): RefusedMessages => ({ refused: 'not JSON', why, id: null, named: null });

function singleOf(text: string, value: unknown, members: readonly Part[]): RpcMessages | RefusedMessages {
  const form = formOf(value);
  if (typeof form !== 'string') return { messages: [messageOf(text, form, members)], isBatch: false };
  const id = isObject(value) && isId(value.id) ? textOf(text, members, 'id') : null;
  return { refused: 'not a request', why: form, id, named: named([value]) };
}

function batchOf(text: string, values: readonly unknown[], parts: readonly Part[]): RpcMessages | RefusedMessages {
  const refuse = (why: string): RefusedMessages => ({ refused: 'not a request', why, id: null, named: named(values) });
  if (values.length === 0) return refuse('A batch has at least one message.');
  if (values.length > limits.mcpMessages) return refuse(`A batch has at most ${limits.mcpMessages} messages.`);
  const messages: RpcMessage[] = [];
  for (const [at, value] of values.entries()) {
    const form = formOf(value);
    if (typeof form === 'string') return refuse(`Message ${at + 1} of the batch: ${form}`);
    messages.push(messageOf(text, form, parts[at]?.parts ?? []));
  }
  return { messages, isBatch: true };
}

const named = (values: readonly unknown[]): number =>
  values.filter((value) => isObject(value) && typeof value.method === 'string').length;

type Form = Pick<RpcMessage, 'method' | 'params'>;

/** @returns a sentence that says what is wrong for a value that is neither a request nor a notification */
function formOf(value: unknown): Form | string {
  if (!isObject(value)) return 'A message is a JSON object.';
  const { jsonrpc, method } = value;
  // Some clients send null for a method without parameters.
  const params = value.params ?? {};
  if (jsonrpc !== '2.0') return 'The member jsonrpc must be "2.0".';
  if (typeof method !== 'string') return 'The member method must be a string.';
  if ('id' in value && !isId(value.id)) return 'The member id must be a string or a finite number.';
  if (!isObject(params)) return 'The member params must be an object.';
  return { method, params };
}

const isId = (id: unknown): boolean => typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));

function messageOf(text: string, form: Form, members: readonly Part[]): RpcMessage {
  const params = members.find(({ name }) => name === 'params')?.parts ?? [];
  return { ...form, id: textOf(text, members, 'id'), argumentsText: textOf(text, params, 'arguments') ?? '' };
}

function textOf(text: string, parts: readonly Part[], name: string): string | null {
  const part = parts.find((one) => one.name === name);
  return part ? text.slice(part.from, part.to) : null;
}
