import { isObject } from '../../base/json-text.js';

/** The result of `initialize`. */
export interface Session {
  readonly version?: string;
  /** A label that the service gives to a run. */
  readonly id?: string;
}

/** The member of the parameters that the header Mcp-Name repeats. */
const nameOf: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * The headers that the transport over HTTP wants beside a message, so that it means there what it means on a line: those of
 * the session, or for a stateless message its own version, method and name.
 * @param value of the message; undefined for one that cannot be read
 */
export function headersOf(value: unknown, session: Session): Record<string, string> {
  const stateless =
    isObject(value) && typeof value.method === 'string' ? ofStateless(value.method, value.params) : null;
  return (
    stateless ?? {
      ...(session.version === undefined ? {} : { 'mcp-protocol-version': session.version }),
      ...(session.id === undefined ? {} : { 'mcp-session-id': session.id }),
    }
  );
}

/** Null when the message names no version, as in every session. */
function ofStateless(method: string, params: unknown): Record<string, string> | null {
  const meta = isObject(params) && isObject(params._meta) ? params._meta : {};
  const version = meta['io.modelcontextprotocol/protocolVersion'];
  if (!isObject(params) || typeof version !== 'string') return null;
  const name = params[nameOf[method] ?? ''];
  return {
    'mcp-protocol-version': headerValue(version),
    'mcp-method': headerValue(method),
    ...(typeof name === 'string' ? { 'mcp-name': headerValue(name) } : {}),
  };
}

/** A header holds printable ASCII without blanks around it. Other texts are encoded as the protocol says. */
function headerValue(text: string): string {
  const isPlain = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The session that an answer to `initialize` begins; null when it is a refusal. */
export function sessionOf(answer: unknown, id: string | null): Session | null {
  const results = (Array.isArray(answer) ? answer : [answer]).map((one) => (isObject(one) ? one.result : undefined));
  const version = results
    .map((one) => (isObject(one) ? one.protocolVersion : undefined))
    .find((one) => one !== undefined);
  if (typeof version !== 'string') return null;
  return { version, ...(id === null ? {} : { id }) };
}
