import type { Claim, Report, State } from '../../verifier/report.js';

export interface Summary {
  /** The state that the whole is shown in. */
  readonly tone: State;
  readonly sentence: string;
  /** Sentences that a reader in a hurry would overlook. */
  readonly notes: readonly string[];
}

export const titles: Readonly<Record<Claim['name'], string>> = {
  entry: 'Entry',
  content: 'Content',
  inclusion: 'Inclusion',
  checkpoint: 'Checkpoint',
  consistency: 'Consistency',
  opentimestamps: 'OpenTimestamps',
  ethereum: 'Ethereum',
  witnesses: 'Witnesses',
  range: 'Range',
};

export const states: readonly State[] = ['verified', 'failed', 'not checked', 'absent'];

export function count({ claims }: Report, state: State): number {
  return claims.filter((claim) => claim.state === state).length;
}

/**
 * All claims in a sentence. It says “verified” only when the receipt hangs together with a signed checkpoint, and the
 * reader has the key from another source than the service: a bundle that claims nothing has nothing that could fail.
 * @param onlyServiceKeys whether the reader has every key from the service itself, and nowhere else
 */
export function summarize(report: Report, onlyServiceKeys: boolean): Summary {
  const all = report.claims.length;
  const failed = count(report, 'failed');
  if (failed > 0) {
    return {
      tone: 'failed',
      sentence: `${failed} of ${all} claims failed.`,
      notes: ['Do not rely on what this bundle says.'],
    };
  }
  const stateOf = (name: string) => report.claims.find((claim) => claim.name === name)?.state;
  const isLogged = stateOf('inclusion') !== 'absent' && stateOf('checkpoint') !== 'absent';
  const unchecked = count(report, 'not checked');
  const notes: string[] = [];
  if (!isLogged) notes.push('It does not show that the receipt is in a signed log.');
  const hasOnlyItsKeys = onlyServiceKeys && stateOf('checkpoint') === 'verified' && stateOf('witnesses') !== 'verified';
  if (hasOnlyItsKeys) {
    notes.push(
      'The checkpoint was checked with a key from this service, which proves nothing against the service. Enter a key that you have from elsewhere, or compare this one with it and say so below the key.',
    );
  }
  if (unchecked > 0) {
    const were = unchecked === 1 ? 'was' : 'were';
    return {
      tone: 'not checked',
      sentence: `Nothing failed; ${unchecked} of ${all} claims ${were} not checked.`,
      notes,
    };
  }
  if (hasOnlyItsKeys) {
    return { tone: 'not checked', sentence: 'Nothing failed, but the only key is from this service itself.', notes };
  }
  return {
    tone: isLogged ? 'verified' : 'not checked',
    sentence: 'Nothing failed; every claim that this bundle makes is verified.',
    notes,
  };
}
