import { toHex } from '../bytes.js';
import type { Log } from '../checkpoint.js';
import type { LoggedKeys } from '../logged-keys.js';
import { formatVerifierKey, type VerifierKey } from '../note.js';
import type { Claim } from '../report.js';
import { shownSigners, signersAmong } from '../signers.js';
import { isEndorsed, type Succession, shownLoss } from '../succession.js';
import { inUseAt } from '../trusted-keys.js';

/**
 * Whether a key that the reader trusts has signed the checkpoint.
 * @param logged the history of the log as the bundle claims it, or a sentence about what is wrong with it
 * @param given the reader's keys
 * @param trusted the reader's keys and their successors, or a sentence about what is wrong with the successors
 */
export function checkpointClaim(
  log: Log | string | null,
  logged: LoggedKeys | string,
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
  const { succession } = logged;
  const own = logged.events.flatMap((event) => (event.type === 'key' ? [event.key] : []));
  const all = { ...details, keys_in_log: own.length, ...shownSuccession(succession) };
  const endorsed = succession !== null && isEndorsed(succession, given);
  if (typeof endorsed === 'string') {
    return { ...claim, state: 'failed', text: `The succession of the log ${endorsed}.`, details: all };
  }
  if (given.every(({ type }) => type !== 'ed25519')) {
    return { ...claim, ...withoutTrustedKey(log, [...own, ...given], all) };
  }
  const signed = signersAmong(inUseAt(trusted, log.size), log.note);
  if (typeof signed === 'string')
    return { ...claim, state: 'failed', text: `The checkpoint: ${signed}.`, details: all };
  const signers = { ...all, ...shownSigners(signed) };
  const signer = signed.find(({ key }) => isOf(key, log));
  if (!signer && succession && endorsed) return { ...claim, ...ofSuccessor(succession, log, own, all) };
  if (!signer) {
    const unnamed = succession
      ? ` It says that it follows ${succession.from.origin}, and no key that was given says so.`
      : '';
    const text = `No trusted key of ${log.origin} has signed it${whenRetired(trusted, log)}.${unnamed}`;
    return { ...claim, state: 'failed', text, details: signers };
  }
  const text = `The checkpoint of ${log.origin} with ${log.size} leaves is signed by its key ${signer.key.id}.`;
  return { ...claim, state: 'verified', text, details: signers };
}

/** Without a key from another source, a signature shows that the note is complete, and not who made it. */
function withoutTrustedKey(log: Log, keys: readonly VerifierKey[], details: Claim['details']): Omit<Claim, 'name'> {
  const signed = signersAmong(keys, log.note);
  if (typeof signed === 'string') return { state: 'failed', text: `The checkpoint: ${signed}.`, details };
  const [signer] = signed.filter(({ key }) => isOf(key, log));
  const text = signer
    ? `No key of ${log.origin} was given; the bundle itself claims that ${formatVerifierKey(signer.key)} has signed it.`
    : `No key of ${log.origin} was given, and the bundle does not say which key has signed it.`;
  return { state: 'not checked', text, details: { ...details, ...shownSigners(signed) } };
}

/** Names a retired key that has signed the checkpoint: it should not sign any more, so it may have been stolen. */
function whenRetired(trusted: readonly VerifierKey[], log: Log): string {
  const ended = trusted.find(
    (key) => inUseAt([key], log.size).length === 0 && log.note.signatures.some(({ keyId }) => keyId === key.id),
  );
  return ended ? `: its key ${ended.id} was retired after ${ended.retiredAfter} leaves` : '';
}

function isOf({ type, name }: VerifierKey, { origin }: Log): boolean {
  return type === 'ed25519' && name === origin;
}

/** The succession with which the log of a bundle began, for the details of a claim. */
function shownSuccession(succession: Succession | null): Claim['details'] {
  if (succession === null) return {};
  const { from, kept, to } = succession;
  return {
    succeeds: from.origin,
    succeeds_size: from.size,
    succeeds_kept: kept.size,
    successor_key: formatVerifierKey(to),
  };
}

/**
 * The claim about a checkpoint of a log that follows the reader's log, for a reader who knows keys of the old log only. Those keys
 * have named the successor, but the reader has to accept the loss: trust is not handed on.
 * @param own the keys of the new log as the bundle shows them
 */
function ofSuccessor(
  succession: Succession,
  log: Log,
  own: readonly VerifierKey[],
  details: Claim['details'],
): Omit<Claim, 'name'> {
  const signed = signersAmong(own, log.note);
  if (typeof signed === 'string') return { state: 'failed', text: `The checkpoint: ${signed}.`, details };
  if (signed.length === 0) {
    return { state: 'failed', text: `No key of ${log.origin} in the bundle has signed the checkpoint.`, details };
  }
  const { from, to } = succession;
  const text =
    `The log ${from.origin} has ended: ${shownLoss(succession)}. Its own key names the successor that has signed this checkpoint: ` +
    `${to.name}, with the key ${formatVerifierKey(to)}. Give that key to accept it.`;
  return { state: 'not checked', text, details: { ...details, ...shownSigners(signed) } };
}
