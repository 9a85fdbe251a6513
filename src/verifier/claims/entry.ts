import type { Entry } from '../entry.js';
import type { Claim } from '../report.js';

/**
 * Whether the bytes are an entry in its canonical form, the only form that has its hash.
 * @param expected the hash of a receipt that the reader has, in lowercase hex
 */
export function entryClaim(entry: Entry | string, expected: string | undefined): Claim {
  const claim = { name: 'entry' } as const;
  if (typeof entry === 'string') {
    return { ...claim, state: 'failed', text: `The entry cannot be read: ${entry}.`, details: {} };
  }
  const { receipt_id, kind, seq, recorded_at, hash } = entry.receipt;
  const details = { receipt_hash: hash, receipt_id, kind, seq, recorded_at };
  if (expected !== undefined && expected !== hash) {
    const text = 'This is the entry of another receipt than the expected one.';
    return { ...claim, state: 'failed', text, details: { ...details, expected } };
  }
  const given = expected === undefined ? '' : ', which is the expected one';
  return {
    ...claim,
    state: 'verified',
    text: `The entry is whole and has the receipt hash ${hash}${given}.`,
    details,
  };
}
