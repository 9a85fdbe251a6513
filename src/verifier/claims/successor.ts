import type { Log } from '../log.js';
import { formatVerifierKey, type VerifierKey } from '../note-key.js';
import type { Claim } from '../report.js';
import { shownSigners, signersAmong } from '../signers.js';
import { type Succession, shownLoss } from '../succession.js';

/** The succession with which the log of a bundle began, for the details of a claim. */
export function shownSuccession(succession: Succession | null): Claim['details'] {
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
export function ofSuccessor(
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
