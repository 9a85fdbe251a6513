import { concat, fromHex, toBase64, toUtf8 } from '../verifier/bytes.js';
import { type Checkpoint, parseCheckpoint } from '../verifier/checkpoint.js';
import { type Note, type NoteSignature, parseNote, type VerifierKey } from '../verifier/note.js';

/** A key of type ed25519 and the function that signs with its private half: 64 bytes as RFC 8032 has them. */
export interface NoteSigner {
  readonly key: VerifierKey;
  sign(message: Uint8Array): Uint8Array;
}

/**
 * The text that a log signs: origin, size in decimal, root in base64 and the extensions, a line each (C2SP tlog-checkpoint).
 * @throws Unreadable when it could not be read back: what is signed cannot be taken back
 */
export function formatCheckpoint({ origin, size, root, extensions }: Checkpoint): string {
  const text = [origin, String(size), toBase64(root), ...extensions].map((line) => `${line}\n`).join('');
  parseCheckpoint(text);
  return text;
}

/** @param text as it will be in the note, with its last newline */
export function signNote(text: string, { key, sign }: NoteSigner): NoteSignature {
  return { name: key.name, keyId: key.id, signature: sign(toUtf8(text)) };
}

/**
 * The inverse of `parseNote` (C2SP signed-note), so that signatures of others can be added to a note that was read.
 * @throws Unreadable or Error when it would be read back as another note: what is sent out must say what was signed
 */
export function formatNote({ text, signatures }: Note): Uint8Array {
  const lines = signatures.map(
    ({ name, keyId, signature }) => `— ${name} ${toBase64(concat(fromHex(keyId), signature))}\n`,
  );
  const bytes = toUtf8(`${text}\n${lines.join('')}`);
  const { text: written } = parseNote(bytes);
  if (written !== text) throw new Error('the text of a note must end with a newline');
  return bytes;
}
