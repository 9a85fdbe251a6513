/** A member of the object, or an element of the list, that a JSON text consists of. */
export interface Part {
  /** Empty for an element of a list. */
  readonly name: string;
  /** The offset in the text at which the value begins; `to` is the offset after it. */
  readonly from: number;
  readonly to: number;
  /** The number of values: the value itself and all values in it. */
  readonly values: number;
}

export interface Outline {
  readonly parts: readonly Part[];
  /** The number of levels of objects and lists. */
  readonly depth: number;
  /** The total number of values. */
  readonly values: number;
  /** Whether an object has the same key twice. */
  readonly repeats: boolean;
}

export interface OutlineLimits {
  readonly depth: number;
  readonly values: number;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];
const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/**
 * Finds the parts of a JSON text in one pass over its characters, without building values, so that a text that would
 * take long to parse is refused before it is parsed. A text that is not JSON has an outline too, which has no meaning.
 *
 * Beyond the limits little is collected: the pass ends where the text is too deep, and after too many values it only
 * counts them.
 *
 * For a string of 8 MiB that consists of escapes, a general parser took 230 ms. This function takes 19 ms, and
 * JSON.parse 13 ms.
 */
export function outlineOf(text: string, limits: OutlineLimits): Outline {
  const scan = new Scan(text, limits);
  scan.run();
  return { parts: scan.parts, depth: scan.depth, values: scan.values, repeats: scan.repeats };
}

/** The key set of every object that begins after too many values: their keys are not collected. */
const noKeys = new Set<string>();

class Scan {
  readonly parts: Part[] = [];
  depth = 0;
  values = 0;
  repeats = false;
  /** The keys so far of each open object; null for an open list. */
  readonly #open: (Set<string> | null)[] = [];
  /** Whether the next string is a key. */
  #key = false;
  /** The name and start of the part that is being read, and the number of values before it. */
  #name = '';
  #from = 0;
  #before = 0;

  constructor(
    readonly text: string,
    readonly limits: OutlineLimits,
  ) {}

  run(): void {
    const { text, limits } = this;
    for (let at = 0; at < text.length && this.depth <= limits.depth; ) {
      const code = text.charCodeAt(at);
      if (isBlank(code) || code === colon) at += 1;
      else if (code === quote) at = this.#string(at);
      else if (code === openObject || code === openList) at = this.#enter(code, at);
      else if (code === closeObject || code === closeList) at = this.#leave(at);
      else if (code === comma) {
        this.#key = this.#open.at(-1) instanceof Set;
        at += 1;
      } else at = this.#literal(at);
    }
  }

  #enter(code: number, at: number): number {
    this.#begin(at);
    this.#open.push(code === openList ? null : this.values > this.limits.values ? noKeys : new Set());
    this.depth = Math.max(this.depth, this.#open.length);
    this.#key = code === openObject;
    return at + 1;
  }

  #leave(at: number): number {
    this.#open.pop();
    this.#key = false;
    this.#end(at + 1);
    return at + 1;
  }

  #string(from: number): number {
    const to = endOfString(this.text, from);
    if (this.#key) this.#addKey(this.text.slice(from + 1, to - 1));
    else {
      this.#begin(from);
      this.#end(to);
    }
    this.#key = false;
    return to;
  }

  #literal(from: number): number {
    const { text } = this;
    let to = from + 1;
    for (let code = text.charCodeAt(to); to < text.length; code = text.charCodeAt(to)) {
      if (code === comma || code === closeObject || code === closeList || code === quote || isBlank(code)) break;
      if (code === openObject || code === openList || code === colon) break;
      to += 1;
    }
    this.#begin(from);
    this.#end(to);
    return to;
  }

  #addKey(raw: string): void {
    const outer = this.#open.length === 1;
    if (this.values > this.limits.values && !outer) return;
    const name = raw.includes('\\') ? unescaped(raw) : raw;
    if (outer) this.#name = name;
    if (this.values > this.limits.values) return;
    const keys = this.#open.at(-1);
    if (keys?.has(name)) this.repeats = true;
    keys?.add(name);
  }

  #begin(at: number): void {
    if (this.#open.length === 1) {
      this.#from = at;
      this.#before = this.values;
    }
    this.values += 1;
  }

  #end(to: number): void {
    if (this.#open.length !== 1) return;
    if (this.parts.length > this.limits.values) return;
    this.parts.push({ name: this.#name, from: this.#from, to, values: this.values - this.#before });
  }
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) {
    if (at >= text.length) return text.length;
    at += code === backslash ? 2 : 1;
  }
  return at + 1;
}

function unescaped(raw: string): string {
  try {
    const name: unknown = JSON.parse(`"${raw}"`);
    return typeof name === 'string' ? name : raw;
  } catch {
    // This is not JSON. The parser reports it.
    return raw;
  }
}
