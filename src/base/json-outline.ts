/** A member of the object, or an element of the list, that a JSON text consists of. */
export interface Part extends Span {
  /** Empty for an element of a list. */
  readonly name: string;
  /** The offset in the text at which the key of a member begins; for an element of a list, that of its value. */
  readonly start: number;
  /** The number of values: the value itself and all values in it. */
  readonly values: number;
  /** The number of levels of objects and lists: 0 for a value that is neither. */
  readonly depth: number;
  /** The parts of the value, if it is an object or a list and the outline has another level. */
  readonly parts: readonly Part[];
}

/** A value in the text. */
export interface Span {
  readonly from: number;
  /** The offset after it. */
  readonly to: number;
}

export interface Outline {
  readonly parts: readonly Part[];
  /** The number of levels of objects and lists. */
  readonly depth: number;
  /** The total number of values. */
  readonly values: number;
  /** Whether an object has the same key twice. */
  readonly repeats: boolean;
  /** Numbers that a double may not represent as they are written: long ones and those with an exponent. */
  readonly unusual: readonly Span[];
}

export interface OutlineLimits {
  readonly depth: number;
  readonly values: number;
  /**
   * The number of levels whose parts are listed. Without it this is 1: the parts of the text, and not their parts. With 0, the pass
   * ends at the first value beyond the limit, because there are no sizes of parts to find.
   */
  readonly levels?: number;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [minus, digitZero, digitNine] = [0x2d, 0x30, 0x39];
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
  return {
    parts: scan.parts,
    depth: scan.depth,
    values: scan.values,
    repeats: scan.repeats,
    unusual: scan.unusual,
  };
}

const unbounded = { depth: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

/** The parts of a JSON text that has been read before, on this number of levels. */
export function partsOf(text: string, levels: number): readonly Part[] {
  return outlineOf(text, { ...unbounded, levels }).parts;
}

/** A double represents every decimal of 15 digits. */
const usualNumber = 15;

/** The key set of every object that begins after too many values: their keys are not collected. */
const noKeys = new Set<string>();

class Scan {
  readonly unusual: Span[] = [];
  depth = 0;
  values = 0;
  repeats = false;
  /** The keys so far of each open object; null for an open list. */
  readonly #open: (Set<string> | null)[] = [];
  /** Whether the next string is a key. */
  #key = false;
  /** The part that is being read at each level of which parts are listed, and the parts before it. */
  readonly #levels: readonly Level[];

  constructor(
    readonly text: string,
    readonly limits: OutlineLimits,
  ) {
    this.#levels = Array.from({ length: limits.levels ?? 1 }, () => new Level());
  }

  get parts(): readonly Part[] {
    return this.#levels[0]?.parts ?? [];
  }

  run(): void {
    const { text, limits } = this;
    const mostCounted = this.#levels.length === 0 ? limits.values : Number.POSITIVE_INFINITY;
    for (let at = 0; at < text.length && this.depth <= limits.depth && this.values <= mostCounted; ) {
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
    this.#deepen(this.#open.length);
    this.#key = code === openObject;
    const inner = this.#levels[this.#open.length - 1];
    if (inner) inner.parts = [];
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
    if (this.#key) this.#addKey(this.text.slice(from + 1, to - 1), from);
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
    if (this.#isUnusual(from, to)) this.unusual.push({ from, to });
    return to;
  }

  #isUnusual(from: number, to: number): boolean {
    const code = this.text.charCodeAt(from);
    if (code !== minus && !(code >= digitZero && code <= digitNine)) return false;
    if (this.values > this.limits.values) return false;
    return to - from > usualNumber || /[eE]/.test(this.text.slice(from, to));
  }

  #addKey(raw: string, start: number): void {
    const level = this.#levels[this.#open.length - 1];
    if (this.values > this.limits.values && !level) return;
    const name = raw.includes('\\') ? unescaped(raw) : raw;
    if (level) {
      level.name = name;
      level.start = start;
    }
    if (this.values > this.limits.values) return;
    const keys = this.#open.at(-1);
    if (keys?.has(name)) this.repeats = true;
    keys?.add(name);
  }

  #begin(at: number): void {
    const level = this.#levels[this.#open.length - 1];
    if (level) {
      level.from = at;
      level.before = this.values;
      level.depth = 0;
      if (!(this.#open.at(-1) instanceof Set)) {
        level.name = '';
        level.start = at;
      }
    }
    this.values += 1;
  }

  #end(to: number): void {
    const level = this.#levels[this.#open.length - 1];
    if (!level || level.parts.length > this.limits.values) return;
    const { name, start, from, before, depth } = level;
    // The parts of an empty object or list are an empty list too.
    const parts = depth === 0 ? none : (this.#levels[this.#open.length]?.parts ?? none);
    level.parts.push({ name, start, from, to, values: this.values - before, depth, parts });
  }

  /** Notes that this number of objects and lists are open. */
  #deepen(open: number): void {
    if (open > this.depth) this.depth = open;
    // The innermost level comes first: a level that has seen as much has shown it to all levels around it.
    for (let at = Math.min(open - 1, this.#levels.length) - 1; at >= 0; at -= 1) {
      const level = this.#levels[at];
      const depth = open - 1 - at;
      if (!level || level.depth >= depth) return;
      level.depth = depth;
    }
  }
}

/** The parts of one level, and the part that is being read. */
class Level {
  parts: Part[] = [];
  name = '';
  start = 0;
  from = 0;
  /** The number of values before the part. */
  before = 0;
  depth = 0;
}

const none: readonly Part[] = [];

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
