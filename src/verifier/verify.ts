import { anchoredCheckpoints } from './anchored.js';
import type { EasiestTarget } from './bitcoin.js';
import { type Disclosed, readBundle } from './bundle.js';
import { readLog } from './checkpoint.js';
import { checkpointClaim } from './claims/checkpoint.js';
import { consistencyClaim } from './claims/consistency.js';
import { contentClaim } from './claims/content.js';
import { entryClaim } from './claims/entry.js';
import { ethereumClaim } from './claims/ethereum.js';
import { inclusionClaim } from './claims/inclusion.js';
import { opentimestampsClaim } from './claims/opentimestamps.js';
import { rangeClaim } from './claims/range.js';
import { witnessesClaim } from './claims/witnesses.js';
import { closeFields } from './close.js';
import { decisionFields } from './decision.js';
import { type Entry, readEntry } from './entry.js';
import type { TrustedBlocks } from './ethereum/trusted-blocks.js';
import { type LoggedKeys, loggedKeys } from './logged-keys.js';
import type { VerifierKey } from './note.js';
import type { Headers } from './ots/verify.js';
import type { EntryRange } from './range.js';
import type { Claim, Report } from './report.js';
import { storyOf } from './story/story.js';
import { taskFields } from './task.js';
import { trustedKeys } from './trusted-keys.js';
import { attempt, Unreadable } from './unreadable.js';
import type { Policy } from './witnesses/policy.js';

/** The input that the reader trusts. None of it comes from the maker of the bundle. */
export interface Trust {
  /** Keys of the log, and of witnesses. */
  readonly keys: readonly VerifierKey[];
  /** Headers of Bitcoin's blocks. If they are given, the headers in the bundle are ignored. */
  readonly headers?: Headers;
  /** Blocks of Ethereum. Without them, no anchor there is verified. */
  readonly ethereum?: TrustedBlocks;
  /** The witnesses that must have signed the checkpoint. With a policy there is a claim about them. */
  readonly witnesses?: Policy;
  /** Entries of the workspace, of which a claim says whether they are all up to the head of the bundle. */
  readonly entries?: EntryRange;
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
  const logged = log === null || typeof log === 'string' ? noKeys : loggedKeys(bundle.keys, log);
  const given = [...trust.keys, ...(trust.witnesses?.logs ?? [])];
  const trusted = typeof logged === 'string' ? given : trustedKeys(given, logged.events);
  const anchored = anchoredCheckpoints(bundle, log, typeof trusted === 'string' ? given : trusted);
  const content = contentClaim(entry, bundle.disclosed);
  const claims = [
    entryClaim(entry, trust.receiptHash),
    content,
    inclusionClaim(entry, place, log, bundle.unplaced),
    checkpointClaim(log, logged, given, trusted),
    consistencyClaim(log, anchored),
    opentimestampsClaim(anchored, trust.headers, trust.easiest),
    ethereumClaim(bundle, anchored, trust.ethereum ?? {}),
    ...(trust.witnesses ? [witnessesClaim(trust.witnesses, log, anchored, logKeys(given, logged))] : []),
    ...(trust.entries ? [rangeClaim(trust.entries, entry, place)] : []),
  ];
  return { receipt: typeof entry === 'string' ? null : receiptOf(entry, bundle.disclosed, claims), claims };
}

const noKeys: LoggedKeys = { events: [], succession: null };

/** Keys that sign for the log, as far as the reader or the bundle names them. */
function logKeys(given: readonly VerifierKey[], logged: LoggedKeys | string): readonly VerifierKey[] {
  const own = typeof logged === 'string' ? [] : logged.events.map(({ key }) => key);
  return [...own, ...given.filter(({ type }) => type === 'ed25519')];
}

function receiptOf(entry: Entry, disclosed: Disclosed | null, claims: readonly Claim[]): Report['receipt'] {
  const { body } = entry;
  const isGenuine = claims.some(({ name, state }) => name === 'content' && state === 'verified');
  const { content = null, metadata = null, source = null, query = null } = (isGenuine ? disclosed : null) ?? {};
  const texts = isGenuine ? { content, metadata, source, ...(query !== null && { query }) } : null;
  const receipt = { ...entry.receipt, body, texts, ...fieldsOf(entry, content) };
  return { ...receipt, story: storyOf(entry, receipt, disclosed, claims) };
}

function fieldsOf({ receipt, body }: Entry, privateText: string | null) {
  switch (receipt.kind) {
    case 'task':
      return { task: taskFields(body, privateText) };
    case 'decision':
    case 'handoff':
      return { decision: decisionFields(body, privateText) };
    case 'index.closed':
      return { close: closeFields(body) };
    default:
      return {};
  }
}

/** The input of `checkBundle`. It can be cloned, so it can be sent to a thread. */
export interface Checking {
  readonly bytes: Uint8Array;
  readonly keys: readonly VerifierKey[];
}

/** The report as JSON text, which may be as long as the bundle, or the reason why the bytes are not a bundle. */
export type Checked = { readonly report: string } | { readonly unreadable: string };

/**
 * Calls `verifyBundle` in a thread and returns errors as values, because a thrown error would arrive without its class.
 */
export function checkBundle({ bytes, keys }: Checking): Checked {
  try {
    return { report: JSON.stringify(verifyBundle(bytes, { keys })) };
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message };
    throw error;
  }
}
