import { fromUtf8, toUtf8 } from './bytes.js';
import { Unreadable } from './unreadable.js';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** An object without a prototype, so that a member may have any name, also `__proto__`. */
export interface JsonObject {
  readonly [key: string]: Json;
}

interface JsonLimits {
  /** How many objects and arrays may be nested in each other. */
  readonly depth: number;
  /** The total number of values: objects, arrays, and the values in them. */
  readonly values: number;
}

/**
 * Reads JSON (RFC 8259) that may be hostile: the time is proportional to its length, and nothing recurses. Ambiguous
 * texts are refused (I-JSON, RFC 7493), so that two readers cannot read one text differently.
 * @throws Unreadable with the offset in bytes for a text that is not JSON, a member that appears twice, half of a
 * surrogate pair, a number that is too large, and for more than the limits allow
 */
export function readJson(bytes: Uint8Array, limits: JsonLimits): Json {
  const text = scanner(fromUtf8(bytes));
  const open: Container[] = [];
  for (let values = 1; ; values += 1) {
    if (values > limits.values) text.refuse(`more than ${limits.values} values`);
    const begun = beginValue(text);
    if (begun.ended === undefined) {
      open.push(begun);
      if (open.length > limits.depth) text.refuse(`more than ${limits.depth} levels`);
      continue;
    }
    let value = begun.ended;
    // The end of a value may also be the end of the containers around it.
    for (;;) {
      const around = open.at(-1);
      if (!around) {
        text.end();
        return value;
      }
      around.put(value);
      if (text.skip(',')) {
        around.next();
        break;
      }
      text.expect(around.close);
      open.pop();
      value = around.value;
    }
  }
}

/** An object or array that has begun and not ended. */
interface Container {
  readonly ended?: undefined;
  readonly value: Json;
  readonly close: '}' | ']';
  put(value: Json): void;
  /** Reads up to where the next value begins. */
  next(): void;
}

function beginValue(text: Scanner): Container | { readonly ended: Json } {
  if (text.skip('[')) return text.skip(']') ? { ended: [] } : array();
  if (text.skip('{')) return text.skip('}') ? { ended: Object.create(null) } : object(text);
  return { ended: text.scalar() };
}

function array(): Container {
  const value: Json[] = [];
  return { value, close: ']', put: (item) => value.push(item), next: () => undefined };
}

function object(text: Scanner): Container {
  const value: Record<string, Json> = Object.create(null);
  let key = '';
  function next(): void {
    key = text.string();
    if (Object.hasOwn(value, key)) text.refuse('a member that is there twice');
    text.expect(':');
  }
  function put(member: Json): void {
    value[key] = member;
  }
  next();
  return { value, close: '}', put, next };
}

interface Scanner {
  /** Skips white space, and then this character if it is next. @returns whether it was */
  skip(character: string): boolean;
  expect(character: string): void;
  string(): string;
  /** A string, a number or a word. */
  scalar(): string | number | boolean | null;
  end(): void;
  refuse(what: string): never;
}

const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const word = /null|true|false/y;
const [quote, backslash] = [0x22, 0x5c];

function scanner(text: string): Scanner {
  let at = 0;

  function refuse(what: string): never {
    throw new Unreadable(`${what} at byte ${toUtf8(text.slice(0, at)).length} of the JSON text`);
  }

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  }

  function skip(character: string): boolean {
    match(space);
    if (text[at] !== character) return false;
    at += 1;
    return true;
  }

  function expect(character: string): void {
    if (!skip(character)) refuse(`something else than ${character}`);
  }

  function string(): string {
    expect('"');
    const from = at;
    let escaped = false;
    for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) {
      // After the end of the text it is NaN.
      if (!(code >= 0x20)) refuse('a string that does not end or has a control character in it');
      if (code === backslash) escaped = true;
      at += code === backslash ? 2 : 1;
    }
    const raw = text.slice(from, at);
    const value = escaped ? unescaped(raw) : raw;
    if (value === undefined || !value.isWellFormed()) refuse('a string with an invalid escape');
    at += 1;
    return value;
  }

  function scalar(): string | number | boolean | null {
    match(space);
    if (text[at] === '"') return string();
    const digits = match(number);
    if (digits !== undefined) {
      const value = Number(digits);
      return Number.isFinite(value) ? value : refuse('a number that is too large');
    }
    const found = match(word);
    if (found === undefined) refuse('something that is not a value');
    return found === 'null' ? null : found === 'true';
  }

  function end(): void {
    match(space);
    if (at < text.length) refuse('something after the end');
  }

  return { skip, expect, string, scalar, end, refuse };
}

/** @returns the text that the inside of a JSON string encodes, or undefined if an escape is wrong */
function unescaped(raw: string): string | undefined {
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return undefined;
  }
}
