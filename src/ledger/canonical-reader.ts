import { maxDepth } from '../verifier/canonical.js';

/**
 * Reads the canonical text (RFC 8785) of an object without building the object: 3 µs for an entry of 800 bytes, where
 * parsing it and writing it again to compare take 13. Every text that this accepts is what `canonical(JSON.parse(text))` gives back.
 * @returns the object's members by key, each still as text, or null when the text is not the canonical one of an object
 */
export function readMembers(text: string): Map<string, string> | null {
  if (!text.isWellFormed() || text.charCodeAt(0) !== braceOpen) return null;
  const members = new Map<string, string>();
  const reader = new Reader(text);
  return reader.object(0, members) && reader.at === text.length ? members : null;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const digitNine = 0x39;
const [braceOpen, braceClose, bracketOpen, bracketClose] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Of the control characters these have an escape of their own; all other ones are written as four lowercase hex digits. */
const escapes = /\\(?:["\\bfnrt]|u00(?:0[0-7be-f]|1[0-9a-f]))/y;
const numerals = /-?[0-9][0-9.e+-]*/y;

/** Each method moves `at` behind what it has read and returns whether that was canonical. */
class Reader {
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  object(depth: number, members?: Map<string, string>): boolean {
    this.at += 1;
    if (this.#skip(braceClose)) return true;
    let before: string | undefined;
    do {
      const key = this.#key();
      // The order is that of UTF-16 code units, which is how strings compare. The same key twice is out of order too.
      if (key === undefined || (before !== undefined && key <= before) || !this.#skip(colon)) return false;
      const from = this.at;
      if (!this.#value(depth + 1)) return false;
      members?.set(key, this.#text.slice(from, this.at));
      before = key;
    } while (this.#skip(comma));
    return this.#skip(braceClose);
  }

  #array(depth: number): boolean {
    this.at += 1;
    if (this.#skip(bracketClose)) return true;
    do if (!this.#value(depth + 1)) return false;
    while (this.#skip(comma));
    return this.#skip(bracketClose);
  }

  #value(depth: number): boolean {
    if (depth > maxDepth) return false;
    const first = this.#text.charCodeAt(this.at);
    if (first === quote) return this.#string();
    if (first === braceOpen) return this.object(depth);
    if (first === bracketOpen) return this.#array(depth);
    if (first <= digitNine) return this.#number();
    return this.#word('null') || this.#word('true') || this.#word('false');
  }

  #key(): string | undefined {
    const from = this.at;
    if (!this.#string()) return undefined;
    const key = this.#text.slice(from + 1, this.at - 1);
    return key.includes('\\') ? JSON.parse(`"${key}"`) : key;
  }

  #string(): boolean {
    if (!this.#skip(quote)) return false;
    const text = this.#text;
    // Nearly all of a text is inside strings, and a position in a local variable takes a third of the time.
    let at = this.at;
    for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(++at)) {
      if (code === backslash) {
        escapes.lastIndex = at;
        if (!escapes.test(text)) return false;
        at = escapes.lastIndex - 1;
      } else if (!(code >= 0x20)) return false; // Behind the end it is NaN.
    }
    this.at = at + 1;
    return true;
  }

  /** ECMAScript's shortest form of the number, and no other. */
  #number(): boolean {
    numerals.lastIndex = this.at;
    const [written] = numerals.exec(this.#text) ?? [];
    if (written === undefined || String(Number(written)) !== written) return false;
    this.at += written.length;
    return true;
  }

  #word(word: string): boolean {
    if (!this.#text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  #skip(code: number): boolean {
    if (this.#text.charCodeAt(this.at) !== code) return false;
    this.at += 1;
    return true;
  }
}
