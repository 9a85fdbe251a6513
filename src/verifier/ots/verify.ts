import {
  attests,
  type BlockHeader,
  type EasiestTarget,
  faultOfWork,
  mainChain,
  parseHeader,
  shownHash,
} from '../bitcoin.js';
import { equal } from '../bytes.js';
import { Unreadable } from '../unreadable.js';
import { readDetached } from './read.js';
import { type Commitment, commitments, type Timestamp } from './timestamp.js';

/** The result of checking a timestamp. */
export type TimestampClaim =
  /** The digest existed when this block was mined. */
  | {
      readonly state: 'verified';
      readonly height: number;
      /** In the byte order in which Bitcoin displays it. */
      readonly blockHash: string;
      /** The time in the block header, in seconds since 1970. */
      readonly time: number;
    }
  | {
      readonly state: 'not checked';
      readonly reason: string;
      /** Addresses of calendars that have promised to attest it later. */
      readonly pending: readonly string[];
      /** Heights of Bitcoin blocks that are said to attest it and whose headers were not given. */
      readonly missing: readonly number[];
    }
  | { readonly state: 'failed'; readonly reason: string };

/** Why the reader's own source cannot be believed about a block, as the end of a sentence. */
interface HeaderFault {
  readonly fault: string;
}

/** The header (80 bytes) of the block of a height, or undefined when it is not known. */
export type Headers = (height: number) => Uint8Array | HeaderFault | undefined;

/**
 * Checks an `.ots` file for the SHA-256 that it must be about. It trusts neither the file nor the headers: a header
 * must only have the work that `easiest` demands. If the headers come from the same source as the file, this work is
 * the only evidence. It does not throw: a file that cannot be read has failed.
 */
export function verifyDetached(
  file: Uint8Array,
  digest: Uint8Array,
  headers: Headers,
  easiest: EasiestTarget = mainChain,
): TimestampClaim {
  try {
    const { hash, timestamp } = readDetached(file);
    if (hash !== 'sha256' || !equal(timestamp.message, digest)) return failed('the timestamp is of another file');
    return verifyTimestamp(timestamp, headers, easiest);
  } catch (error) {
    if (error instanceof Unreadable) return failed(`the timestamp cannot be read: ${error.message}`);
    throw error;
  }
}

/**
 * One block that attests the message is enough; of several blocks, the earliest is reported. If no block attests it and
 * one is claimed to, the check has failed. Other chains and kinds of attestations are ignored.
 */
export function verifyTimestamp(
  timestamp: Timestamp,
  headers: Headers,
  easiest: EasiestTarget = mainChain,
): TimestampClaim {
  const claims = commitments(timestamp).map((commitment) => verifyCommitment(commitment, headers, easiest));
  const [earliest] = claims.filter((claim) => claim.state === 'verified').sort((a, b) => a.time - b.time);
  if (earliest) return earliest;
  const wrong = claims.find((claim) => claim.state === 'failed');
  if (wrong) return wrong;
  const open = claims.filter((claim) => claim.state === 'not checked');
  return {
    state: 'not checked',
    reason: unique(open.map(({ reason }) => reason)).join('; '),
    pending: unique(open.flatMap(({ pending }) => pending)),
    missing: unique(open.flatMap(({ missing }) => missing)),
  };
}

function verifyCommitment(
  { attestation, message }: Commitment,
  headers: Headers,
  easiest: EasiestTarget,
): TimestampClaim {
  if (attestation.kind === 'pending') {
    return { ...notChecked(`pending at ${attestation.uri}`), pending: [attestation.uri] };
  }
  if (attestation.kind !== 'bitcoin') return notChecked(`${attestation.kind} attestations are not checked`);
  const { height } = attestation;
  const bytes = headers(height);
  if (!bytes) return { ...notChecked(`the header of block ${height} is missing`), missing: [height] };
  if ('fault' in bytes) return failed(`block ${height}: ${bytes.fault}`);
  const header = readHeader(bytes, easiest);
  if (typeof header === 'string') return failed(`block ${height}: ${header}`);
  if (!attests(header, message)) return failed(`block ${height} does not contain it`);
  return { state: 'verified', height, blockHash: shownHash(header.hash), time: header.time };
}

function readHeader(bytes: Uint8Array, easiest: EasiestTarget): BlockHeader | string {
  try {
    const header = parseHeader(bytes);
    return faultOfWork(header, easiest) ?? header;
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

function failed(reason: string): TimestampClaim {
  return { state: 'failed', reason };
}

function notChecked(reason: string) {
  return { state: 'not checked' as const, reason, pending: [], missing: [] };
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
