import { toUtf8 } from './bytes.js';
import { parseNote } from './note.js';

/** A witness that has signed a checkpoint. */
interface Cosigner {
  readonly name: string;
  readonly key_id: string;
  /** The time that the signature covers; null where it has none that can be written as one. */
  readonly signed_at: string | null;
}

/** Eight bytes of seconds and an Ed25519 signature (C2SP tlog-cosignature). */
const timedBytes = 72;
/** Seconds of the year 10000, which RFC 3339 cannot write. */
const endOfTime = 253_402_300_800n;

/** The witnesses that have signed a note of this log, in the order of the lines. Lines were checked when they were added. */
export function cosignersOf(note: string): readonly Cosigner[] {
  const { text, signatures } = parseNote(toUtf8(note));
  const [origin] = text.split('\n', 1);
  return signatures
    .filter(({ name }) => name !== origin)
    .map(({ name, keyId, signature }) => ({ name, key_id: keyId, signed_at: timeOf(signature) }));
}

function timeOf(signature: Uint8Array): string | null {
  if (signature.length !== timedBytes) return null;
  const seconds = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);
  return seconds < endOfTime ? new Date(Number(seconds) * 1000).toISOString() : null;
}
