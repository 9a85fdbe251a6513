import { anchoredCheckpoints } from './anchored.js';
import type { EasiestTarget } from './bitcoin.js';
import { type Disclosed, readBundle } from './bundle.js';
import { checkpointClaim } from './claims/checkpoint.js';
import { consistencyClaim } from './claims/consistency.js';
import { contentClaim } from './claims/content.js';
import { entryClaim } from './claims/entry.js';
import { ethereumClaim } from './claims/ethereum.js';
import { inclusionClaim } from './claims/inclusion.js';
import { opentimestampsClaim } from './claims/opentimestamps.js';
import { closeFields } from './close.js';
import { decisionFields } from './decision.js';
import { type Entry, readEntry } from './entry.js';
import type { TrustedBlocks } from './ethereum/trusted-blocks.js';
import { loggedKeys } from './keys.js';
import { readLog } from './log.js';
import type { VerifierKey } from './note-key.js';
import type { Headers } from './ots/verify.js';
import type { Claim, Report } from './report.js';
import { taskFields } from './task.js';
import { trustedKeys } from './trusted-keys.js';
import { attempt } from './unreadable.js';

/** The input that the reader trusts. None of it comes from the maker of the bundle. */
export interface Trust {
  /** Keys of the log, and of witnesses. */
  readonly keys: readonly VerifierKey[];
  /** Headers of Bitcoin's blocks. If they are given, the headers in the bundle are ignored. */
  readonly headers?: Headers;
  /** Blocks of Ethereum. Without them, no anchor there is verified. */
  readonly ethereum?: TrustedBlocks;
  /** The hash of the receipt that the bundle must be about, in lowercase hex. */
  readonly receiptHash?: string;
  /** The easiest target that a block may have; by default that of Bitcoin's main chain. */
  readonly easiest?: EasiestTarget;
}

/**
 * Checks a proof bundle offline. A claim that cannot be read or is not true has failed. Do not believe anything that
 * depends on a failed claim.
 * @param bytes JSON text of the format `counterfoil-proof/1`
 * @throws Unreadable, and nothing else, when the bytes are not a bundle
 */
export function verifyBundle(bytes: Uint8Array, trust: Trust): Report {
  const bundle = readBundle(bytes);
  const { place } = bundle;
  const entry = attempt(() => readEntry(bundle.entry));
  const log = place && attempt(() => readLog(place.checkpoint));
  const logged = log === null || typeof log === 'string' ? [] : loggedKeys(bundle.keys, log);
  const trusted = typeof logged === 'string' ? trust.keys : trustedKeys(trust.keys, logged);
  const anchored = anchoredCheckpoints(bundle, log, typeof trusted === 'string' ? trust.keys : trusted);
  const content = contentClaim(entry, bundle.disclosed);
  return {
    receipt: typeof entry === 'string' ? null : receiptOf(entry, bundle.disclosed, content),
    claims: [
      entryClaim(entry, trust.receiptHash),
      content,
      inclusionClaim(entry, place, log, bundle.unplaced),
      checkpointClaim(log, logged, trust.keys, trusted),
      consistencyClaim(log, anchored),
      opentimestampsClaim(anchored, trust.headers, trust.easiest),
      ethereumClaim(bundle, anchored, trust.ethereum ?? {}),
    ],
  };
}

function receiptOf({ receipt, body }: Entry, disclosed: Disclosed | null, content: Claim): Report['receipt'] {
  const privateText = content.state === 'verified' ? (disclosed?.content ?? null) : null;
  switch (receipt.kind) {
    case 'task':
      return { ...receipt, task: taskFields(body, privateText) };
    case 'decision':
    case 'handoff':
      return { ...receipt, decision: decisionFields(body, privateText) };
    case 'index.closed':
      return { ...receipt, close: closeFields(body) };
    default:
      return receipt;
  }
}
