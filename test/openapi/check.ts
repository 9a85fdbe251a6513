import { headersOfPublic } from '../../src/http/cross-origin.js';
import { codesOf, type Described, faults, operations, requiredHeadersOf, responseOf } from './document.js';

/** A reply as it came over the wire. */
export interface Wire {
  readonly method: string;
  /** With its query, as it was requested. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Everything that a reply was about: an operation of the description, or nothing that it knows. */
export interface Checked {
  readonly operation: Described | undefined;
  /** Of a refusal. */
  readonly code: string | null;
  /** The faults against the description; empty when all is. */
  readonly faults: readonly string[];
}

const matchers = operations
  .map((described) => ({ described, pattern: patternOf(described.path) }))
  // A name that is spelt out goes before one that may be anything.
  .sort((a, b) => places(a.described.path) - places(b.described.path));

function places(path: string): number {
  return path.split('{').length;
}

function patternOf(path: string): RegExp {
  const text = path
    .replaceAll('.', '\\.')
    // Any characters, line breaks too.
    .replaceAll('{path}', '[^]+')
    .replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${text}$`);
}

export function operationAt(method: string, path: string): Described | undefined {
  const [plain = ''] = path.split('?');
  // A slash that is written as %2F is part of a name.
  const decoded = plain.split('/').map(nameOf).join('/');
  return matchers.find(({ described, pattern }) => described.method === method && pattern.test(decoded))?.described;
}

/** The path that an address is of, as OpenAPI writes it, for any method. */
export function pathAt(address: string): string | undefined {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) => operationAt(method, address)?.path ?? [])[0];
}

function nameOf(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('/', '%2F');
  } catch {
    return part;
  }
}

/** Refusals of what is no operation. */
const elsewhere = ['route_not_found', 'method_not_allowed', 'rate_limited', 'body_too_large', 'not_ready'];
const errorShape = { $ref: '#/components/schemas/MemoryError' };

/** Holds a reply against the description of the API: its status, its type, its headers, its code and its body. */
export function checkReply(wire: Wire): Checked {
  const { method, path, status, text } = wire;
  const operation = operationAt(method, path);
  const json = jsonOf(wire);
  const code = codeOf(json);
  const wrong = operation ? faultsIn(operation, wire, json, code) : faultsElsewhere(wire, json, code);
  const from = `${method} ${path.slice(0, 200)} → ${status} ${code ?? ''}`;
  return { operation, code, faults: wrong.map((fault) => `${from}: ${fault}\n${text.slice(0, 500)}`) };
}

function faultsIn({ operation }: Described, wire: Wire, json: unknown, code: string | null): string[] {
  const given = operation.responses[wire.status];
  if (!given) return [`${operation.operationId} has no status ${wire.status}`];
  const response = responseOf(given);
  const missing = requiredHeadersOf(response)
    .filter((name) => !wire.headers.has(name))
    .map((name) => `lacks the header ${name}`);
  if (wire.headers.has('x-receipt-id') && !response.headers?.['x-receipt-id']) missing.push('may not name a receipt');
  // An answer without a body, such as 304.
  if (!response.content) return wire.text === '' ? missing : [...missing, 'has a body'];
  const type = typeOf(wire);
  const media = response.content?.[type];
  if (!media) return [...missing, `has the content type ${type}`];
  if (type !== 'application/json') return missing;
  const codes = codesOf(response);
  const undocumented = codes.length > 0 && !codes.includes(code ?? '') ? [`may not answer ${code}`] : [];
  return [...missing, ...undocumented, ...faults(media.schema, json)];
}

/** Everything that is said of paths that are no operation of the API. The pages are none. */
function faultsElsewhere(wire: Wire, json: unknown, code: string | null): string[] {
  // An answer to HEAD has no body to look at.
  if (!wire.path.startsWith('/v1/') || wire.method === 'HEAD') return [];
  // What a browser asks before it reads a file of the log from a page of another site. OpenAPI describes no such requests.
  if (wire.method === 'OPTIONS' && wire.status === 204 && headersOfPublic(wire.method, wire.path) !== null) return [];
  const known = elsewhere.includes(code ?? '') ? [] : [`may not answer ${code} where there is no operation`];
  return [...known, ...faults(errorShape, json)];
}

function typeOf({ headers }: Wire): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return type;
}

function jsonOf(wire: Wire): unknown {
  if (typeOf(wire) !== 'application/json') return undefined;
  try {
    return JSON.parse(wire.text);
  } catch {
    return undefined;
  }
}

function codeOf(json: unknown): string | null {
  if (typeof json !== 'object' || json === null || !('error' in json)) return null;
  const { error } = json;
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
