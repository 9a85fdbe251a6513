import { fromBase64, fromUtf8, toHex } from './bytes.js';
import { Unreadable } from './unreadable.js';

/** The largest note in bytes, and its largest number of signatures. Both are checked before any signature. */
export const noteLimits = { bytes: 1024 * 1024, signatures: 100 };

/** One signature line: the claimed signer and the signature, not checked. */
export interface NoteSignature {
  /** Key name: not empty, without Unicode spaces and plus signs. */
  readonly name: string;
  /** Key id: 8 lowercase hex digits. Name and id only say which key should check the signature. */
  readonly keyId: string;
  /** All bytes after the key id, at least one. */
  readonly signature: Uint8Array;
}

/** A text and its claimed signers (C2SP signed-note). */
export interface Note {
  /** The signed text, as UTF-8. It ends with the newline before the blank line. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/**
 * Reads a C2SP signed-note without checking any signature: see `verifyNote`.
 * @throws Unreadable for more bytes or lines than `noteLimits`, bytes that are not UTF-8, control characters other than
 * newline, no signature, or a line after the last blank line that is not a signature
 */
export function parseNote(bytes: Uint8Array): Note {
  if (bytes.length > noteLimits.bytes) throw new Unreadable(`a note of more than ${noteLimits.bytes} bytes`);
  const whole = fromUtf8(bytes);
  if (hasControls(whole)) throw new Unreadable('a note with a control character');
  const blank = whole.lastIndexOf('\n\n');
  if (blank < 0) throw new Unreadable('a note without a blank line before its signatures');
  const lines = whole.slice(blank + 2).split('\n');
  if (lines.pop() !== '') throw new Unreadable('a note whose last line does not end');
  if (lines.length === 0) throw new Unreadable('a note without a signature');
  if (lines.length > noteLimits.signatures) {
    throw new Unreadable(`a note with more than ${noteLimits.signatures} signatures`);
  }
  return { text: whole.slice(0, blank + 1), signatures: lines.map(parseSignature) };
}

/** Whether a key may have this name. Other names would make a line ambiguous. */
export function isKeyName(name: string): boolean {
  return name !== '' && !/[\p{White_Space}+]/u.test(name) && !hasControls(name);
}

function parseSignature(line: string): NoteSignature {
  const [dash, name = '', encoded = '', ...more] = line.split(' ');
  if (dash !== '—' || !isKeyName(name) || more.length > 0) throw new Unreadable('a signature line of another form');
  const bytes = fromBase64(encoded);
  if (bytes.length <= 4) throw new Unreadable('a signature line without a signature');
  return { name, keyId: toHex(bytes.subarray(0, 4)), signature: bytes.subarray(4) };
}

/** Characters below U+0020 other than newline. */
function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && code !== 0x0a) return true;
  }
  return false;
}
