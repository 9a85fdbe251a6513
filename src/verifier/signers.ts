import { formatVerifierKey, type Note, type Signed, type VerifierKey, verifyNote } from './note.js';
import type { Claim } from './report.js';
import { shownTime } from './rows.js';

/** @returns the keys that have signed the note, which may be none, or a sentence about a wrong signature */
export function signersAmong(keys: readonly VerifierKey[], note: Note): readonly Signed[] | string {
  const named = keys.filter(({ name, id }) => note.signatures.some((line) => line.name === name && line.keyId === id));
  return named.length === 0 ? [] : verifyNote(note, named);
}

/** The signers for the details of a claim: keys of the log, and cosigners with the time that they claim. */
export function shownSigners(signed: readonly Signed[]): Claim['details'] {
  const own = signed.filter(({ time }) => time === null).map(({ key }) => formatVerifierKey(key));
  const others = signed.flatMap(({ key, time }) => (time === null ? [] : [`${key.name} ${shownTime(time)}`]));
  return {
    ...(own.length > 0 ? { signed_by: own.join(', ') } : {}),
    ...(others.length > 0 ? { cosigned_by: others.join(', ') } : {}),
  };
}
