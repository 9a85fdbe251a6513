import type { Anchored } from '../anchored.js';
import type { EasiestTarget } from '../bitcoin.js';
import type { Timestamped } from '../bundle.js';
import { type Headers, type TimestampClaim, verifyDetached } from '../ots/verify.js';
import type { Claim } from '../report.js';

type Verified = Extract<TimestampClaim, { state: 'verified' }>;
type Open = Extract<TimestampClaim, { state: 'not checked' }>;

/**
 * Whether a block of Bitcoin shows that the checkpoint, or a later one that contains it, existed when the block was
 * mined.
 * @param headers the reader's own source of block headers; without it the headers in the bundle are accepted if they
 * have enough work
 */
export function opentimestampsClaim(
  anchored: readonly Anchored[],
  headers: Headers | undefined,
  easiest: EasiestTarget | undefined,
): Claim {
  const claim = { name: 'opentimestamps' } as const;
  const results = anchored.flatMap((one) => {
    const { anchor } = one;
    return anchor.type === 'opentimestamps' ? [timestamp(anchor, one, headers, easiest)] : [];
  });
  if (results.length === 0) {
    return { ...claim, state: 'absent', text: 'The bundle has no timestamp.', details: {} };
  }
  for (const result of results) {
    if (result.state !== 'failed') continue;
    return { ...claim, state: 'failed', text: `The timestamp does not hold: ${result.reason}.`, details: {} };
  }
  const verified = results.filter((result) => result.state === 'verified').sort((a, b) => a.time - b.time);
  const [earliest] = verified;
  if (earliest) return { ...claim, ...inBlock(earliest, verified.length, headers === undefined) };
  return { ...claim, ...open(results.filter((result) => result.state === 'not checked')) };
}

function timestamp(
  anchor: Timestamped,
  { checkpoint, fault }: Anchored,
  headers: Headers | undefined,
  easiest: EasiestTarget | undefined,
): TimestampClaim {
  if (fault !== null || checkpoint === null) {
    return { state: 'failed', reason: 'it dates a checkpoint that is not shown to contain this one' };
  }
  return verifyDetached(anchor.ots, checkpoint.digest, headers ?? ((height) => anchor.headers.get(height)), easiest);
}

function inBlock({ height, blockHash, time }: Verified, count: number, own: boolean): Omit<Claim, 'name'> {
  const when = new Date(time * 1000).toISOString();
  const whose = own ? ' The header came with the bundle: compare the hash of the block with one that you trust.' : '';
  return {
    state: 'verified',
    text: `The checkpoint existed before block ${height} of Bitcoin was mined, at about ${when}.${whose}`,
    details: { block_height: height, block_hash: blockHash, block_time: when, timestamps: count },
  };
}

function open(results: readonly Open[]): Omit<Claim, 'name'> {
  const pending = results.flatMap((result) => result.pending);
  const missing = results.flatMap((result) => result.missing);
  return {
    state: 'not checked',
    text: `The timestamp cannot be checked yet: ${results.map(({ reason }) => reason).join('; ')}.`,
    details: {
      ...(missing.length > 0 ? { missing_headers: missing.join(', ') } : {}),
      ...(pending.length > 0 ? { pending_at: pending.join(', ') } : {}),
    },
  };
}
