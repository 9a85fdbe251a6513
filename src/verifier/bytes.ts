import { Unreadable } from './unreadable.js';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const noDigit = 255;
const base64Digits = digitsOf(alphabet);
const hexAlphabet = '0123456789abcdef';
const hexDigits = digitsOf(hexAlphabet);

/** The value of each ASCII character as a digit, and `noDigit` for characters that are not digits. */
function digitsOf(digits: string): Uint8Array {
  const values = new Uint8Array(128).fill(noDigit);
  for (let value = 0; value < digits.length; value += 1) values[digits.charCodeAt(value)] = value;
  return values;
}

const encoder = new TextEncoder();
/** Keeps a leading byte order mark: without it, encoding the text again would give other bytes. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Compares public values. It stops at the first difference, so its duration would reveal parts of a secret. */
export function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** Lowercase, two digits a byte. */
export function toHex(bytes: Uint8Array): string {
  // The digits are collected as bytes and decoded once: appending characters makes base64 of 3 MB take 900 ms instead
  // of 95.
  const ascii = new Uint8Array(2 * bytes.length);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    ascii[2 * at] = hexAlphabet.charCodeAt(byte >> 4);
    ascii[2 * at + 1] = hexAlphabet.charCodeAt(byte & 15);
  }
  return decoder.decode(ascii);
}

/** @throws Unreadable for anything but pairs of lowercase digits, so that every value has exactly one encoding */
export function fromHex(text: string): Uint8Array {
  if (text.length % 2 !== 0) throw new Unreadable('hex with an odd number of digits');
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at += 1) {
    const high = hexDigits[text.charCodeAt(2 * at)] ?? noDigit;
    const low = hexDigits[text.charCodeAt(2 * at + 1)] ?? noDigit;
    if (high === noDigit || low === noDigit) throw new Unreadable('hex with a character that is no lowercase digit');
    bytes[at] = 16 * high + low;
  }
  return bytes;
}

/** Base 64 with padding (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  const ascii = new Uint8Array(4 * Math.ceil(bytes.length / 3));
  let [at, written] = [0, 0];
  while (at < bytes.length) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    at += 3;
    for (let shift = 18; shift >= 0; shift -= 6) {
      ascii[written] = alphabet.charCodeAt((group >> shift) & 63);
      written += 1;
    }
  }
  ascii.fill('='.charCodeAt(0), written - (at - bytes.length));
  return decoder.decode(ascii);
}

/**
 * Reads what `toBase64` writes and nothing else (RFC 4648 §4, strict as in §3.5): complete padding, no white space, and
 * zeros in the unused bits of the last digit. Otherwise one proof would have several encodings.
 * @throws Unreadable
 */
export function fromBase64(text: string): Uint8Array {
  if (text.length % 4 !== 0) throw new Unreadable('base64 whose length is not a multiple of four');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let [held, bits, written] = [0, 0, 0];
  for (let at = 0; at < text.length - padding; at += 1) {
    const digit = base64Digits[text.charCodeAt(at)] ?? noDigit;
    if (digit === noDigit) throw new Unreadable('base64 with a character that does not belong there');
    held = ((held << 6) | digit) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[written] = held >> bits;
    written += 1;
  }
  if ((held & ((1 << bits) - 1)) !== 0) throw new Unreadable('base64 with bits behind its end');
  return bytes;
}

/** @throws Unreadable for a lone surrogate: it would be encoded as U+FFFD, so two texts would have the same bytes */
export function toUtf8(text: string): Uint8Array {
  if (!text.isWellFormed()) throw new Unreadable('text with half of a surrogate pair');
  return encoder.encode(text);
}

/** @throws Unreadable for bytes that are not UTF-8 */
export function fromUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Unreadable('bytes that are not UTF-8');
  }
}
