import type { Anchored } from '../anchored.js';
import type { Log } from '../checkpoint.js';
import type { Signed, VerifierKey } from '../note.js';
import type { Claim } from '../report.js';
import { shownSigners, signersAmong } from '../signers.js';
import type { Rule } from '../witnesses/groups.js';
import type { Policy } from '../witnesses/policy.js';

/** A checkpoint with the witnesses of the policy that have signed it. */
interface Cosigned {
  readonly log: Log;
  readonly signed: readonly Signed[];
}

/**
 * Whether enough witnesses have signed the checkpoint, or a later one that contains it, for the reader's policy. A key of
 * the log itself is no witness, also where the policy names it as one.
 * @param own keys of the log, as the bundle and the reader name them
 */
export function witnessesClaim(
  policy: Policy,
  log: Log | string | null,
  anchored: readonly Anchored[],
  own: readonly VerifierKey[],
): Claim {
  const claim = { name: 'witnesses' } as const;
  if (log === null) return { ...claim, state: 'absent', text: 'The bundle has no checkpoint.', details: {} };
  if (typeof log === 'string')
    return { ...claim, state: 'failed', text: 'The checkpoint cannot be read.', details: {} };
  const { rule } = policy;
  if (rule === null) {
    return { ...claim, state: 'not checked', text: 'The policy asks for no witness.', details: {} };
  }
  const independent = policy.witnesses.filter((witness) => !isOfLog(witness, log, own));
  const notes = [log, ...anchored.flatMap(({ log: later, fault }) => (later && fault === null ? [later] : []))];
  const cosigned: Cosigned[] = [];
  for (const one of notes) {
    const signed = signersAmong(independent, one.note);
    if (typeof signed === 'string') {
      return { ...claim, state: 'failed', text: `The checkpoint of ${one.size} leaves: ${signed}.`, details: {} };
    }
    cosigned.push({ log: one, signed });
  }
  return { ...claim, ...evaluate(rule, cosigned, policy.witnesses.length - independent.length) };
}

function isOfLog(witness: VerifierKey, { origin }: Log, own: readonly VerifierKey[]): boolean {
  const key = witness.publicKey.join();
  return witness.name === origin || own.some(({ publicKey }) => publicKey.join() === key);
}

/** The signatures on one checkpoint must be enough: those on several are of several statements. */
function evaluate(rule: Rule, cosigned: readonly Cosigned[], ofLog: number): Omit<Claim, 'name'> {
  const reached = cosigned.find(({ signed }) => isReached(rule, signed));
  const most = cosigned.toSorted((a, b) => b.signed.length - a.signed.length)[0];
  const { log, signed } = reached ?? most ?? { log: { size: 0 }, signed: [] };
  const details = { size: log.size, witnesses: signed.length, needed: needed(rule), ...shownSigners(signed) };
  const have = `${signed.length} ${signed.length === 1 ? 'witness of the policy has' : 'witnesses of the policy have'}`;
  if (reached) {
    const text = `${have} signed the checkpoint of ${log.size} leaves, as many as the policy wants (${needed(rule)}).`;
    return { state: 'verified', text, details };
  }
  const excluded = ofLog === 0 ? '' : ' A key of the log itself is no witness.';
  const text = `${have} signed the checkpoint of ${log.size} leaves, and the policy wants ${needed(rule)}.${excluded}`;
  return { state: 'failed', text, details };
}

function isReached(rule: Rule, signed: readonly Signed[]): boolean {
  if ('witness' in rule) return signed.some(({ key }) => key === rule.witness);
  return rule.of.filter((member) => isReached(member, signed)).length >= rule.atLeast;
}

function needed(rule: Rule): string {
  return 'witness' in rule ? rule.witness.name : `${rule.atLeast} of ${rule.of.length}`;
}
