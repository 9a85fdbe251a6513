import { sha256 } from '@noble/hashes/sha2.js';
import { concat, fromBase64, fromUtf8, toBase64, toHex, toUtf8 } from './bytes.js';
import { isEd25519 } from './ed25519.js';
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
function isKeyName(name: string): boolean {
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

/** Signature types (C2SP signed-note) and their bytes: a plain one, and one of a witness with a time (tlog-cosignature). */
const typeBytes = { ed25519: 0x01, 'cosignature/v1': 0x04 } as const;
type KeyType = keyof typeof typeBytes;

export interface VerifierKey {
  readonly name: string;
  /** The result of `keyId`, 8 lowercase hex digits. */
  readonly id: string;
  readonly type: KeyType;
  /** Ed25519, 32 bytes (RFC 8032). */
  readonly publicKey: Uint8Array;
  /** The key signs no checkpoint with more leaves than this. Absent for a key in use. */
  readonly retiredAfter?: number;
}

/** The first 4 bytes of SHA-256(name ‖ 0x0A ‖ type ‖ public key), as 8 lowercase hex digits (C2SP signed-note). */
function keyId(name: string, type: KeyType, publicKey: Uint8Array): string {
  return toHex(sha256(concat(toUtf8(`${name}\n`), typed(type, publicKey))).subarray(0, 4));
}

/** @throws Unreadable for an invalid key name, or a public key that does not have 32 bytes */
export function verifierKey(name: string, type: KeyType, publicKey: Uint8Array): VerifierKey {
  if (!isKeyName(name)) throw new Unreadable('a key name that is empty or has a space or plus sign in it');
  if (publicKey.length !== 32) throw new Unreadable('an Ed25519 public key that does not have 32 bytes');
  return { name, id: keyId(name, type, publicKey), type, publicKey };
}

/**
 * Reads a verifier key, `name+id+base64(type ‖ public key)` (C2SP signed-note).
 * @throws Unreadable also for a type that is not a `KeyType`, and for an id that does not belong to the name and key
 */
export function parseVerifierKey(text: string): VerifierKey {
  // The base64 may itself contain plus signs.
  const [, name = '', id = '', encoded = ''] = /^([^+]*)\+([0-9a-f]{8})\+(.*)$/s.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  const type = keyTypes.find((one) => typeBytes[one] === bytes[0]);
  if (!type) throw new Unreadable('a verifier key of another form or type');
  const key = verifierKey(name, type, bytes.subarray(1));
  if (key.id !== id) throw new Unreadable('a verifier key whose id is not that of its name and public key');
  return key;
}

/** The inverse of `parseVerifierKey`. */
export function formatVerifierKey({ name, id, type, publicKey }: VerifierKey): string {
  return `${name}+${id}+${toBase64(typed(type, publicKey))}`;
}

/** A key that has signed a note, with the time that a cosigner claims for its signature, in seconds since 1970. */
export interface Signed {
  readonly key: VerifierKey;
  readonly time: number | null;
}

/**
 * Checks the signatures of known keys on a note and ignores all other signatures (C2SP signed-note). One wrong
 * signature by a known key makes the note invalid, because the note or the signature has been changed.
 * @returns each key that has signed, once, with the time of its first line; or a sentence, when a signature is wrong or
 * no known key has signed
 */
export function verifyNote({ text, signatures }: Note, keys: readonly VerifierKey[]): readonly Signed[] | string {
  const message = toUtf8(text);
  const signed = new Map<VerifierKey, Signed>();
  for (const line of signatures) {
    // Key ids are short. Two known keys may share a name and an id, and either of them may have signed.
    const known = keys.filter(({ name, id }) => name === line.name && id === line.keyId);
    if (known.length === 0) continue;
    const key = known.find((one) => verifies(one, message, line));
    if (!key) return `the signature of ${line.name} (key ${line.keyId}) is wrong`;
    if (!signed.has(key)) signed.set(key, { key, time: key.type === 'ed25519' ? null : timeOf(line) });
  }
  return signed.size > 0 ? [...signed.values()] : 'no known key has signed the note';
}

const keyTypes: readonly KeyType[] = ['ed25519', 'cosignature/v1'];

function typed(type: KeyType, publicKey: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(typeBytes[type]), publicKey);
}

function verifies(key: VerifierKey, message: Uint8Array, line: NoteSignature): boolean {
  if (key.type === 'ed25519') return isSignature(line.signature, message, key);
  const time = timeOf(line);
  if (time === null) return false;
  const cosigned = concat(cosignatureHeader(time), message);
  return isSignature(line.signature.subarray(8), cosigned, key);
}

/** The header before a checkpoint's text in the message that a cosigner signs at `time` (C2SP tlog-cosignature). */
function cosignatureHeader(time: number): Uint8Array {
  return toUtf8(`cosignature/v1\ntime ${time}\n`);
}

/** Null when the signature has fewer than 8 bytes, or its time is not a safe integer (280 million years from now). */
function timeOf({ signature }: NoteSignature): number | null {
  if (signature.length < 8) return null;
  const time = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);
  return time <= Number.MAX_SAFE_INTEGER ? Number(time) : null;
}

/** Whether the key has signed the message, by the rules of `isEd25519`. */
export function isSignature(signature: Uint8Array, message: Uint8Array, { publicKey }: VerifierKey): boolean {
  return isEd25519(signature, message, publicKey);
}
