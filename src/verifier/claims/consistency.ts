import type { Anchored } from '../anchored.js';
import type { Log } from '../checkpoint.js';
import type { Claim } from '../report.js';
import { shownSigners } from '../signers.js';

/** Whether the later checkpoints that were anchored contain all leaves of the bundle's checkpoint. */
export function consistencyClaim(log: Log | string | null, anchored: readonly Anchored[]): Claim {
  const claim = { name: 'consistency' } as const;
  const later = anchored.filter(({ anchor }) => anchor.later !== null);
  if (later.length === 0) {
    return { ...claim, state: 'absent', text: 'No later checkpoint is in the bundle.', details: {} };
  }
  const fault = later.find((one) => one.fault !== null)?.fault;
  if (typeof fault === 'string' || log === null || typeof log === 'string') {
    const text = `The later checkpoint is not shown to contain this one: ${fault}.`;
    return { ...claim, state: 'failed', text, details: {} };
  }
  const sizes = later.map((one) => one.later).join(', ');
  const signatures = later.reduce((sum, one) => sum + one.signatures, 0);
  return {
    ...claim,
    state: 'verified',
    text: `All ${log.size} leaves of the log are the first of the later checkpoint with ${sizes}.`,
    details: { size: log.size, later: sizes, signatures, ...shownSigners(later.flatMap(({ signed }) => signed)) },
  };
}
