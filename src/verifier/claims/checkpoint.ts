import { toHex } from '../bytes.js';
import type { KeyEvent } from '../keys.js';
import type { Log } from '../log.js';
import { formatVerifierKey, type VerifierKey } from '../note-key.js';
import type { Claim } from '../report.js';
import { shownSigners, signersAmong } from '../signers.js';
import { inUseAt } from '../trusted-keys.js';

/**
 * Whether a key that the reader trusts has signed the checkpoint.
 * @param logged the log's keys by the bundle's own word, or what is wrong with them
 * @param given the reader's keys
 * @param trusted those and their successors, or what is wrong with these
 */
export function checkpointClaim(
  log: Log | string | null,
  logged: readonly KeyEvent[] | string,
  given: readonly VerifierKey[],
  trusted: readonly VerifierKey[] | string,
): Claim {
  const claim = { name: 'checkpoint' } as const;
  if (log === null) return { ...claim, state: 'absent', text: 'The bundle has no checkpoint.', details: {} };
  if (typeof log === 'string') {
    return { ...claim, state: 'failed', text: `The checkpoint cannot be read: ${log}.`, details: {} };
  }
  const details = {
    origin: log.origin,
    size: log.size,
    root: toHex(log.root),
    signatures: log.note.signatures.length,
  };
  const wrong = [logged, trusted].find((one) => typeof one === 'string');
  if (typeof logged === 'string' || typeof trusted === 'string') {
    return { ...claim, state: 'failed', text: `The history of signing keys is wrong: ${wrong}.`, details };
  }
  const own = logged.flatMap((event) => (event.type === 'key' ? [event.key] : []));
  const all = { ...details, keys_in_log: own.length };
  if (given.every(({ type }) => type !== 'ed25519')) {
    return { ...claim, ...byItsOwnWord(log, [...own, ...given], all) };
  }
  const signed = signersAmong(inUseAt(trusted, log.size), log.note);
  if (typeof signed === 'string')
    return { ...claim, state: 'failed', text: `The checkpoint: ${signed}.`, details: all };
  const signers = { ...all, ...shownSigners(signed) };
  const signer = signed.find(({ key }) => isOf(key, log));
  if (!signer) {
    const text = `No trusted key of ${log.origin} has signed it${whenRetired(trusted, log)}.`;
    return { ...claim, state: 'failed', text, details: signers };
  }
  const text = `The checkpoint of ${log.origin} with ${log.size} leaves is signed by its key ${signer.key.id}.`;
  return { ...claim, state: 'verified', text, details: signers };
}

/** Without a key from elsewhere, the signature shows that the note is whole, and not who made it. */
function byItsOwnWord(log: Log, keys: readonly VerifierKey[], details: Claim['details']): Omit<Claim, 'name'> {
  const signed = signersAmong(keys, log.note);
  if (typeof signed === 'string') return { state: 'failed', text: `The checkpoint: ${signed}.`, details };
  const [signer] = signed.filter(({ key }) => isOf(key, log));
  const text = signer
    ? `No key of ${log.origin} was given; by the bundle's own word it is ${formatVerifierKey(signer.key)} that has signed.`
    : `No key of ${log.origin} was given, and the bundle does not say which has signed.`;
  return { state: 'not checked', text, details: { ...details, ...shownSigners(signed) } };
}

/** A signature of a key that should not sign any more is worth naming: somebody may have stolen it. */
function whenRetired(trusted: readonly VerifierKey[], log: Log): string {
  const ended = trusted.find(
    (key) => inUseAt([key], log.size).length === 0 && log.note.signatures.some(({ keyId }) => keyId === key.id),
  );
  return ended ? `: its key ${ended.id} was retired after ${ended.retiredAfter} leaves` : '';
}

function isOf({ type, name }: VerifierKey, { origin }: Log): boolean {
  return type === 'ed25519' && name === origin;
}
